package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A list that is committed, so that a change of it is seen in a review. With {@code -Dbaton.house.write=true} the tests write
 * such lists instead of comparing them.
 */
final class Committed {
    private final Path file;

    private Committed(Path file) {
        this.file = file;
    }

    static Committed list(String name) {
        return new Committed(
                Repository.ROOT.resolve("baton-house/src/test/resources").resolve(name));
    }

    /** Compares, line by line. */
    void check(List<String> lines) throws IOException {
        if (Boolean.getBoolean("baton.house.write")) {
            Files.createDirectories(file.getParent());
            Files.write(file, lines);
        }
        assertThat(lines)
                .as(
                        "%s is out of date. If the change is meant, write it anew with"
                                + " ./mvnw test -pl baton-house -am -Dtest='*HouseTest' -DfailIfNoTests=false"
                                + " -Dsurefire.failIfNoSpecifiedTests=false -Dbaton.house.write=true",
                        Repository.name(file))
                .containsExactlyElementsOf(Files.readAllLines(file));
    }
}
