package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the profile "release" has put into target/staging is what Maven Central takes, and what users need. Runs there, when
 * all is staged: its name does not end in Test.
 */
class StagedRelease {
    private static final Path STAGING =
            Path.of(System.getProperty("baton.staging")).resolve("dev/baton");
    private static final Set<String> POMS = Set.of("baton-bom", "baton-parent");
    private static final Set<String> JARS = Set.of(
            "baton-core",
            "baton-test",
            "baton-servers",
            "baton-tck",
            "baton-jdbc",
            "baton-redis",
            "baton-zookeeper",
            "baton-etcd",
            "baton-memcached",
            "baton-micrometer",
            "baton-shedlock",
            "baton-reactor",
            "baton-kotlin",
            "baton-spring-boot-starter",
            "baton-spring-integration",
            "baton-demo",
            "baton-cli");

    /** What has a checksum, and a signature if the release is signed. */
    private static final Pattern ARTIFACT = Pattern.compile(".*\\.(jar|pom|json)");

    private static Set<String> jars() {
        return new TreeSet<>(JARS);
    }

    private static Set<String> all() {
        return Stream.concat(JARS.stream(), POMS.stream()).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void modules_arePublished_orNot() {
        assertThat(names(STAGING)).containsExactlyElementsOf(all());
        assertThat(Repository.allModules())
                .as("modules that are published: others set maven.deploy.skip")
                .containsAll(jars());
    }

    @ParameterizedTest
    @MethodSource("all")
    void pom_saysWhatCentralDemands(String artifact) {
        StagedPom pom = StagedPom.of(file(artifact, ".pom"), file("baton-parent", ".pom"));
        assertThat(pom.missing())
                .as("elements of the pom of %s and of its parent", artifact)
                .isEmpty();
        assertThat(pom.text("artifactId")).isEqualTo(artifact);
        assertThat(pom.foreignSnapshots())
                .as("dependencies of %s on what may still change", artifact)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("all")
    void file_hasChecksums(String artifact) throws IOException, NoSuchAlgorithmException {
        List<Path> files = artifacts(artifact);
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            assertThat(beside(file, ".md5")).isEqualTo(hash("MD5", file));
            assertThat(beside(file, ".sha1")).isEqualTo(hash("SHA-1", file));
        }
    }

    /** All or none: Maven Central wants all. */
    @Test
    void files_areSigned_orNoneIs() {
        List<Path> files =
                all().stream().flatMap(name -> artifacts(name).stream()).toList();
        List<Path> signed = files.stream()
                .filter(file -> Files.exists(Path.of(file + ".asc")))
                .toList();
        assertThat(signed).as("files with a signature").isIn(List.of(), files);
    }

    @ParameterizedTest
    @MethodSource("all")
    void components_areListed(String artifact) throws IOException {
        String list = Files.readString(file(artifact, "-cyclonedx.json"));
        assertThat(list).contains("\"bomFormat\" : \"CycloneDX\"", "pkg:maven/dev.baton/" + artifact + "@");
        assertThat(list)
                .as("what differs between two builds: see includeBomSerialNumber, project.build.outputTimestamp")
                .doesNotContain("\"serialNumber\"", "\"timestamp\"");
    }

    @ParameterizedTest
    @MethodSource("jars")
    void jar_hasItsLicence_andAModuleName(String artifact) throws IOException {
        try (JarFile jar = new JarFile(file(artifact, ".jar").toFile())) {
            assertThat(text(jar, "META-INF/LICENSE")).isEqualTo(Repository.read(Repository.ROOT.resolve("LICENSE")));
            String automatic = jar.getManifest().getMainAttributes().getValue("Automatic-Module-Name");
            assertThat(jar.getEntry("module-info.class") != null ^ automatic != null)
                    .as("%s has a module-info, or an Automatic-Module-Name: %s", artifact, automatic)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("jars")
    void jar_hasSourcesAndJavadoc(String artifact) throws IOException {
        Set<String> classes = withoutEnding(file(artifact, ".jar"), ".class");
        Set<String> sources = withoutEnding(file(artifact, "-sources.jar"), ".java");
        sources.addAll(withoutEnding(file(artifact, "-sources.jar"), ".kt"));
        assertThat(sources).as("sources of the classes of %s", artifact).anyMatch(name -> !name.equals("module-info"));
        assertThat(classes).containsAll(sources);
        assertThat(entries(file(artifact, "-javadoc.jar"), ".html"))
                .as("pages of %s", artifact)
                .contains("index.html")
                .noneMatch(name -> name.contains("dev/baton/internal/"));
    }

    @Test
    void package_isInOneJar() throws IOException {
        Set<String> seen = new TreeSet<>();
        for (String artifact : jars()) {
            Set<String> packages = entries(file(artifact, ".jar"), ".class").stream()
                    .filter(name -> name.contains("/"))
                    .map(name -> name.substring(0, name.lastIndexOf('/')))
                    .collect(Collectors.toSet());
            assertThat(packages)
                    .as("packages of %s that another jar has", artifact)
                    .isNotEmpty()
                    .noneMatch(seen::contains);
            seen.addAll(packages);
        }
    }

    /** The one file of an artefact with an ending; of a snapshot, the version in its name has a time. */
    private static Path file(String artifact, String ending) {
        Pattern name = Pattern.compile(Pattern.quote(artifact) + "-[0-9.]+(-[0-9.]+-\\d+)?" + Pattern.quote(ending));
        List<Path> found = artifacts(artifact).stream()
                .filter(file -> name.matcher(file.getFileName().toString()).matches())
                .toList();
        assertThat(found).as("files of %s that end in %s", artifact, ending).hasSize(1);
        return found.get(0);
    }

    private static List<Path> artifacts(String artifact) {
        return list(STAGING.resolve(artifact)).stream()
                .filter(Files::isDirectory)
                .flatMap(version -> list(version).stream())
                .filter(file -> ARTIFACT.matcher(file.toString()).matches())
                .toList();
    }

    private static List<Path> list(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> names(Path directory) {
        return list(directory).stream()
                .map(path -> path.getFileName().toString())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> entries(Path file, String ending) throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(ending))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** The top-level entries with an ending, without it. */
    private static Set<String> withoutEnding(Path file, String ending) throws IOException {
        return entries(file, ending).stream()
                .filter(name -> !name.contains("$"))
                .map(name -> name.substring(0, name.length() - ending.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String text(JarFile jar, String entry) throws IOException {
        assertThat(jar.getEntry(entry)).as("%s of %s", entry, jar.getName()).isNotNull();
        return new String(jar.getInputStream(jar.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
    }

    private static String beside(Path file, String ending) {
        return Repository.read(Path.of(file + ending)).strip();
    }

    private static String hash(String algorithm, Path file) throws IOException, NoSuchAlgorithmException {
        return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
    }
}
