package dev.baton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.console.ExitCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The script that starts the command, in a built checkout and as installed, with a fake Java that records the files it must
 * load.
 */
@ParameterizedClass
@EnumSource(Layout.class)
class LauncherTest {
    private static final String THEIRS = "theirs\n";

    /** A fake Java: it makes archives and lists of classes, and leaves SQLite's library as the rehearsal does. */
    private static final String JAVA = """
            for word; do
                case "$word" in
                    -Xshare:dump) dump=yes ;;
                    -XX:SharedArchiveFile=*) archive="${word#*=}" ;;
                    -XX:DumpLoadedClassList=*) list="${word#*=}" ;;
                esac
            done
            if [ "$dump" ]; then
                echo ours >"$archive"
            elif [ "$list" ]; then
                echo java/lang/Object >"$list"
                echo ours >"${list%/*}/library"
            else
                umask >"$NOTES/umask"
                printf '%s\\n' "$@" >"$NOTES/told"
            fi
            """;

    /** A fake Maven: it leaves the output of a build, and records which directory it uses for its own files. */
    private static final String MAVEN = """
            mkdir -p "${0%/*}/baton-cli/target/app"
            echo baton-cli.jar >"${0%/*}/baton-cli/target/app/class-path"
            printf '%s\\n' "$MAVEN_USER_HOME" "$@" >"$NOTES/maven"
            """;

    @Parameter
    private Layout layout;

    @TempDir
    private Path directory;

    private Path script;
    private Path home;
    private Path cache;
    private String said = "";

    @BeforeEach
    void makeCheckout() throws IOException {
        home = Files.createDirectory(directory.resolve("home"));
        cache = Files.createDirectory(home.resolve(".cache")).resolve("baton");
        script = layout.lay(directory.resolve("place"), "baton-cli.jar");
        Files.writeString(layout.library(directory.resolve("place")).resolve("baton-cli.jar"), "jar");
        Path bin = Files.createDirectories(directory.resolve("jdk/bin"));
        BatonProcess.program(bin, "java", JAVA);
        BatonProcess.program(bin, "javac", "exit 1");
        Files.writeString(directory.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    }

    private void start(String... environment) throws IOException, InterruptedException {
        assertThat(exitCode("ls", environment)).as(said).isZero();
    }

    private int exitCode(String command, String... environment) throws IOException, InterruptedException {
        Files.deleteIfExists(directory.resolve("told"));
        File out = directory.resolve("said").toFile();
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", "-c", "umask 027; exec \"$0\" \"$1\"", script.toString(), command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out);
        Map<String, String> variables = builder.environment();
        List.of("XDG_CACHE_HOME", "MAVEN_USER_HOME", "MAVEN_ARGS", "BATON_MVN_ARGS")
                .forEach(variables::remove);
        variables.put("HOME", home.toString());
        variables.put("JAVA_HOME", directory.resolve("jdk").toString());
        variables.put("NOTES", directory.toString());
        for (String each : environment) {
            variables.put(each.split("=", 2)[0], each.split("=", 2)[1]);
        }
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        said = Files.readString(out.toPath());
        return process.exitValue();
    }

    private String option(String name) throws IOException {
        return Files.readAllLines(directory.resolve("told")).stream()
                .filter(word -> word.startsWith(name + '='))
                .map(word -> word.substring(name.length() + 1))
                .findFirst()
                .orElse("");
    }

    /** Returns the files that Java was told to load in addition to the jars. */
    private List<Path> loaded() throws IOException {
        String library = option("-Dorg.sqlite.lib.path") + '/' + option("-Dorg.sqlite.lib.name");
        return Stream.of(option("-XX:SharedArchiveFile"), library)
                .filter(path -> path.length() > 1)
                .map(Path::of)
                .toList();
    }

    private void loadsNothingOfTheirs() throws IOException {
        assertThat(loaded())
                .allSatisfy(file ->
                        assertThat(Files.readString(file)).as("%s", file).isEqualTo("ours\n"));
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private List<Path> cached() throws IOException {
        try (Stream<Path> files = Files.list(cache)) {
            return files.toList();
        }
    }

    /** Plants files as another user could have prepared them, after one start has shown their names. */
    private void plant() throws IOException, InterruptedException {
        start();
        assertThat(cached()).hasSize(2);
        for (Path file : cached()) {
            Files.writeString(file, THEIRS);
        }
    }

    @Test
    void cache_isMadeForThisUserAlone_andUsed() throws Exception {
        start();
        assertThat(said).isEmpty();
        assertThat(permissions(cache)).isEqualTo("rwx------");
        assertThat(cached())
                .hasSize(2)
                .allSatisfy(file -> assertThat(permissions(file)).isEqualTo("rw-------"));
        start();
        assertThat(said).isEmpty();
        assertThat(loaded()).containsExactlyInAnyOrderElementsOf(cached());
        assertThat(Files.readString(directory.resolve("umask")).strip())
                .as("what the program and its commands find")
                .isEqualTo("0027");
    }

    @Test
    void cacheThatOthersMayRead_isClosedToThem_andUsed() throws Exception {
        start();
        Strangers.permit(cache, "rwxr-xr-x");
        start();
        assertThat(permissions(cache)).isEqualTo("rwx------");
        assertThat(loaded()).containsExactlyInAnyOrderElementsOf(cached());
    }

    @Test
    void cacheOfAnotherUser_isNotUsed_andSaidSo() throws Exception {
        plant();
        Strangers.own(cache);
        start();
        loadsNothingOfTheirs();
        assertThat(said).contains(cache.toString(), "not used");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxrwxrwx", "rwx----wx"})
    void cacheThatOthersMayWrite_isNotUsed_andSaidSo(String permissions) throws Exception {
        plant();
        Strangers.permit(cache, permissions);
        start();
        loadsNothingOfTheirs();
        assertThat(said).contains(cache.toString(), "not used");
    }

    @ParameterizedTest
    @ValueSource(strings = {".jsa", ".sqlite"})
    void fileOfAnotherUser_inACacheOfThisUser_isNotLoaded(String suffix) throws Exception {
        plant();
        for (Path file : cached()) {
            if (file.toString().endsWith(suffix)) {
                Strangers.own(file);
            } else {
                Files.writeString(file, "ours\n");
            }
        }
        start();
        loadsNothingOfTheirs();
    }

    @Test
    void symbolicLinks_areNotFollowed() throws Exception {
        plant();
        Path theirs = directory.resolve("theirs");
        Files.move(cache, theirs);
        Files.createSymbolicLink(cache, theirs);
        start();
        loadsNothingOfTheirs();
        assertThat(said).contains(cache.toString(), "not used");
        Files.delete(cache);
        Files.createDirectory(cache);
        try (Stream<Path> files = Files.list(theirs)) {
            for (Path file : files.toList()) {
                Files.createSymbolicLink(cache.resolve(file.getFileName()), file);
            }
        }
        start();
        loadsNothingOfTheirs();
    }

    @Test
    void cacheThatOthersCouldReplace_isNotUsed_andSaidSo() throws Exception {
        plant();
        Strangers.permit(cache.getParent(), "rwxrwxrwx");
        start();
        loadsNothingOfTheirs();
        assertThat(said).contains(cache.getParent().toString(), "not used");
        Strangers.permit(cache.getParent(), "rwx------");
        Strangers.own(home);
        start();
        loadsNothingOfTheirs();
        assertThat(said).contains(home.toString(), "not used");
    }

    /** A case where the cache is the system's directory for temporary files. */
    @Test
    void cacheBelowAStickyDirectory_isUsed() throws Exception {
        Files.setAttribute(cache.getParent(), "unix:mode", 01777);
        start();
        start();
        assertThat(said).isEmpty();
        assertThat(loaded()).containsExactlyInAnyOrderElementsOf(cached());
    }

    @Test
    void relativeCacheHome_isIgnored_andSaidSo() throws Exception {
        start("XDG_CACHE_HOME=here");
        assertThat(said).contains("XDG_CACHE_HOME", "not absolute").hasLineCount(1);
        assertThat(directory.resolve("here")).doesNotExist();
        assertThat(cached()).hasSize(2);
    }

    /** Only a checkout builds. */
    @Test
    void mavenHomeOfAnotherUser_isNotBuiltWith() throws Exception {
        Path checkout = directory.resolve("checkout");
        script = Layout.CHECKOUT.lay(checkout, "baton-cli.jar");
        BatonProcess.program(checkout, "mvnw", MAVEN);
        Files.delete(checkout.resolve("baton-cli/target/app/class-path"));
        Path maven = Files.createDirectory(home.resolve(".m2"));
        start();
        assertThat(Files.readAllLines(directory.resolve("maven")).get(0)).isEmpty();
        Files.delete(checkout.resolve("baton-cli/target/app/class-path"));
        Strangers.own(maven);
        start();
        assertThat(Files.readAllLines(directory.resolve("maven")))
                .startsWith(checkout.resolve("baton-cli/target/m2").toString())
                .anyMatch(word -> word.startsWith("-Dmaven.repo.local=" + checkout));
        assertThat(said).contains(maven.toString(), "not used");
    }

    /** A link such as one in a directory of the path. */
    @Test
    void symbolicLinkToTheScript_startsTheSame() throws Exception {
        Path jars = layout.library(script.getParent().resolve(layout == Layout.CHECKOUT ? "" : ".."));
        script = Files.createSymbolicLink(directory.resolve("linked"), script);
        start();
        assertThat(Files.readAllLines(directory.resolve("told")))
                .contains(jars.toRealPath().resolve("baton-cli.jar").toString());
    }

    /** Only a checkout can build them. */
    @Test
    void benchmarks_areNotInstalled_andSaidToBeInACheckout() throws Exception {
        script = Layout.INSTALLED.lay(directory.resolve("installed"), "baton-cli.jar");
        assertThat(exitCode("bench")).isEqualTo(ExitCode.USAGE);
        assertThat(said)
                .startsWith("baton: ")
                .contains("./baton bench", "checkout")
                .hasLineCount(1);
    }

    /** Tests bring drivers with their servers, so they would not notice a driver that is missing for users. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "sqlite-jdbc",
                "postgresql",
                "mariadb-java-client",
                "baton-redis",
                "baton-zookeeper",
                "baton-etcd",
                "baton-memcached"
            })
    void whatAStoreNeeds_isWithTheCommand(String artifact) throws IOException {
        String pom = Files.readString(Path.of("pom.xml"));
        assertThat(pom.replaceAll("\\s+", ""))
                .contains("<artifactId>" + artifact + "</artifactId><scope>runtime</scope>");
    }
}
