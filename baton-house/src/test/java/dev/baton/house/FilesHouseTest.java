package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The repository is self-contained: its links work, and it names no machine on which it was written. */
class FilesHouseTest {
    private static final Pattern ELSEWHERE = Pattern.compile("(?:[a-z]+:|#).*");
    private static final Pattern MACHINE = Pattern.compile("(?<![\\w.}-])/(?:work|root)/\\S*|shared[/]design");
    private static final Pattern HOST = Pattern.compile("[a-z]+://(?!repo\\.maven\\.apache\\.org[/:])[^/\\s]+");

    @Test
    void linkInMarkdown_leadsToAFile() {
        assertThat(Repository.files(".md").stream().flatMap(FilesHouseTest::brokenLinks))
                .as("links that lead nowhere: paths are relative to the document")
                .isEmpty();
    }

    private static Stream<String> brokenLinks(Path document) {
        return Markdown.links(Repository.read(document)).stream()
                .filter(link -> !ELSEWHERE.matcher(link).matches())
                .filter(link -> !Files.exists(document.resolveSibling(link.replaceFirst("#.*", ""))))
                .map(link -> Repository.name(document) + ": " + link);
    }

    @Test
    void file_namesNoMachine() {
        assertThat(occurrences(Repository.files(), MACHINE))
                .as("files that only make sense where they were written: use paths relative to the repository")
                .isEmpty();
    }

    @Test
    void mavenSettings_knowOnlyMavenCentral() {
        List<Path> settings = Repository.files().stream()
                .filter(file -> Repository.name(file).startsWith(".mvn/"))
                .toList();
        assertThat(settings).isNotEmpty();
        assertThat(occurrences(settings, HOST))
                .as("hosts in .mvn: everybody can reach repo.maven.apache.org; a mirror belongs to ~/.m2/settings.xml")
                .isEmpty();
    }

    private static List<String> occurrences(List<Path> files, Pattern what) {
        return files.stream()
                .flatMap(file -> Repository.occurrences(file, what).stream())
                .toList();
    }
}
