package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive as it is for users, unpacked, on a machine with a JDK, bash and the coreutils: no other program is on the
 * path, and nothing in the environment. The profile {@code archive} runs it, after the archive is made.
 */
class ArchiveTrial {
    private static final String FILE = System.getProperty("baton.archive.file");

    /** All that the GNU coreutils install, without those that other packages have on some systems. */
    private static final String COREUTILS =
            "arch b2sum base32 base64 basename basenc cat chgrp chmod chown chroot cksum comm"
                    + " cp csplit cut date dd df dir dircolors dirname du echo env expand expr factor false fmt fold head hostid id"
                    + " install join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste"
                    + " pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir runcon seq sha1sum sha224sum sha256sum"
                    + " sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr"
                    + " true truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes";

    @TempDir
    private static Path machine;

    private static Path home;
    private static Path unpacked;
    private static Path bin;
    private static Path local;

    @TempDir
    private Path directory;

    private String out = "";
    private String err = "";

    @BeforeAll
    static void install() throws Exception {
        home = Files.createDirectory(machine.resolve("home"));
        bin = Files.createDirectory(machine.resolve("bin"));
        for (String program : ("bash " + COREUTILS).split(" ")) {
            Files.createSymbolicLink(bin.resolve(program), onThisMachine(program));
        }
        Files.createSymbolicLink(bin.resolve("java"), Path.of(System.getProperty("java.home"), "bin", "java"));
        unpacked = Files.createDirectory(machine.resolve("opt"))
                .resolve(Path.of(FILE).getFileName());
        local = machine.resolve("usr/local");
        Files.createDirectories(local.resolve("bin"));
        assertThat(output("bash", "-ec", "umask 022\n" + steps())).isEmpty();
    }

    /** Otherwise JUnit warns of each that leads out of its directory. */
    @AfterAll
    static void removeLinks() throws IOException {
        try (Stream<Path> links = Files.list(bin)) {
            for (Path link : links.toList()) {
                Files.delete(link);
            }
        }
    }

    /** What the page says, in directories of this test. */
    private static String steps() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        return page.split("\n## Install\n", -1)[1]
                .split("```sh\n", -1)[1]
                .split("```", -1)[0]
                .replace("baton-VERSION.tar.gz", FILE + ".tar.gz")
                .replaceAll(" (/opt|/usr/local)(?=[/\\s])", " " + machine + "$1")
                .replace("baton-VERSION", unpacked.getFileName().toString());
    }

    private static Path onThisMachine(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(place -> Path.of(place, program))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + program + ": are the GNU coreutils installed?"));
    }

    private static List<String> output(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        Process process = builder.start();
        List<String> lines = process.inputReader().lines().toList();
        assertThat(process.waitFor()).as("%s", lines).isZero();
        return lines;
    }

    private Process start(String... command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(Map.of("PATH", local + "/bin:" + bin, "HOME", home.toString(), "TMPDIR", directory.toString()));
        // Java takes the home from the system's list of users; this test has one of its own.
        builder.environment().put("XDG_STATE_HOME", home + "/.local/state");
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int run(String... command) throws IOException, InterruptedException {
        Process process = start(command);
        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        out = Files.readString(directory.resolve("out"));
        err = Files.readString(directory.resolve("err"));
        return process.exitValue();
    }

    private int baton(String... arguments) throws IOException, InterruptedException {
        return run(Stream.concat(Stream.of(local + "/bin/baton"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    /** The first start makes the cache, the second one reads it. */
    @RepeatedTest(2)
    void run_locksInThisUsersFile_andStartsFromThisUsersCache() throws Exception {
        assertThat(baton("run", "--store", "local", "--name", "x", "--", "bash", "-c", "echo $BATON_NAME; exit 7"))
                .as(err)
                .isEqualTo(7);
        assertThat(out).isEqualTo("x\n");
        assertThat(err).isEmpty();
        assertThat(home.resolve(".local/state/baton/locks.db")).isNotEmptyFile();
        try (Stream<Path> cached = Files.list(home.resolve(".cache/baton"))) {
            assertThat(cached.map(file -> file.toString().replaceAll(".*\\.", "")))
                    .containsExactlyInAnyOrder("jsa", "sqlite");
        }
    }

    /** What lost its parent is found by what it carries, which takes a grep only to be fast. */
    @Test
    void batonKilled_takesTheWholeCommandAlong() throws Exception {
        assertThat(baton("--version")).as("the cache is made: %s", err).isZero();
        String orphan = "(bash -c 'echo $$ >pid; while :; do sleep 0.1; done' &); while :; do sleep 0.1; done";
        Process baton =
                start(local + "/bin/baton", "run", "--store", "local", "--name", "y", "--", "bash", "-c", orphan);
        Path pid = directory.resolve("pid");
        Runs.until("the command runs", () -> Files.exists(pid) && Files.size(pid) > 0);
        ProcessHandle running =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();
        baton.destroyForcibly();
        try {
            // Sooner than a guardian that has not noticed would give up the lease of 30 s.
            Runs.until("it is gone", Duration.ofSeconds(20), () -> !running.isAlive());
        } finally {
            running.destroyForcibly();
        }
    }

    /** A shell says so only of a program that died of the signal itself. */
    @Test
    void signalThatTheCommandDiesOf_isWhatBatonDiesOf() throws Exception {
        String command =
                "baton run --store local --name z -- bash -c 'kill -s TERM $PPID; while :; do sleep 0.1; done'";
        assertThat(run(bin + "/bash", "-c", command + "; exit $?")).as(err).isEqualTo(ExitCode.SIGNALLED + 15);
        assertThat(err).contains("Terminated");
    }

    @Test
    void check_findsTheLocalStoreFit() throws Exception {
        assertThat(baton("check")).as(out + err).isZero();
        assertThat(out).contains("Fit for locks.");
        assertThat(err).isEmpty();
    }

    @Test
    void demo_showsAFault_andThatBatonHasNone() throws Exception {
        assertThat(baton("demo", "--stock", "60", "--processes", "2", "--lock", "expiry-only", "--lock", "baton"))
                .as(out + err)
                .isZero();
        assertThat(out).contains("2 of 7 locks", "Each broken lock failed in its own way. Baton oversold nothing.");
    }

    @Test
    void version_isTheArchives() throws Exception {
        assertThat(baton("--version")).as(err).isZero();
        assertThat(unpacked)
                .hasFileName("baton-" + out.lines().findFirst().orElseThrow().split(" ")[1]);
    }

    /** As on Windows, where no script starts it. */
    @Test
    void jarsAlone_canLook() throws Exception {
        assertThat(run(bin + "/java", "-cp", unpacked + "/lib/*", "dev.baton.cli.Main", "ls", "--json"))
                .as(err)
                .isZero();
        assertThat(out).startsWith("{\"locks\":");
    }

    @Test
    void library_isWhatItsListNames() throws Exception {
        List<String> names = new ArrayList<>(Files.readAllLines(unpacked.resolve("lib/class-path")));
        assertThat(names).doesNotHaveDuplicates().hasSizeGreaterThan(10);
        names.add("class-path");
        try (Stream<Path> files = Files.list(unpacked.resolve("lib"))) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(names);
        }
        assertThat(Files.readAllLines(unpacked.resolve("THIRD-PARTY.txt")))
                .anyMatch(line -> line.contains("mariadb") && line.contains("LGPL"));
    }

    @Test
    void manual_hasAPageForEachCommand_withoutADate() throws Exception {
        List<String> pages = new ArrayList<>(List.of("baton.1"));
        commands().forEach(command -> pages.add("baton-" + command + ".1"));
        commands("job").forEach(command -> pages.add("baton-job-" + command + ".1"));
        assertThat(pages).contains("baton-run.1", "baton-job-run.1");
        Path manual = local.resolve("share/man/man1");
        try (Stream<Path> files = Files.list(manual)) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactlyInAnyOrderElementsOf(pages);
        }
        assertThat(manual.resolve("baton-run.1"))
                .content()
                .containsPattern("\\.TH \"BATON\\\\-RUN\" \"1\" \"\" \"baton \\d[^ ]*\" \"Baton Manual\"")
                .contains("kill\\-after");
    }

    /** Returns the commands that the help of a command lists. */
    private List<String> commands(String... words) throws Exception {
        List<String> asked = new ArrayList<>(List.of(words));
        asked.add("--help");
        assertThat(baton(asked.toArray(String[]::new))).isZero();
        return Pattern.compile("(?m)^  ([a-z-]+) ")
                .matcher(out.substring(out.indexOf("Commands:")))
                .results()
                .map(command -> command.group(1))
                .toList();
    }

    @Test
    void completion_isWhatBashUnderstands() throws Exception {
        String script =
                "source '" + local + "/share/bash-completion/completions/baton'; COMP_WORDS=(baton re); COMP_CWORD=1;"
                        + " COMP_LINE='baton re'; _complete_baton; echo \"${COMPREPLY[@]}\"";
        assertThat(run(bin + "/bash", "-c", script)).as(err).isZero();
        assertThat(out).isEqualTo("release\n");
    }

    /** Paths in the page lead somewhere in a checkout only. */
    @Test
    void page_standsAlone() throws Exception {
        assertThat(unpacked.resolve("README.md"))
                .content()
                .contains("## Install")
                .doesNotContain("](");
        assertThat(unpacked.resolve("LICENSE")).content().contains("Apache License");
    }

    @Test
    void zip_hasTheSameFiles() throws Exception {
        Map<String, String> zipped = new TreeMap<>();
        try (FileSystem zip =
                FileSystems.newFileSystem(Path.of(FILE + ".zip"), Map.of("enablePosixFileAttributes", "true"))) {
            zipped.putAll(files(zip.getPath("/" + unpacked.getFileName())));
        }
        assertThat(zipped).isEqualTo(files(unpacked)).hasSizeGreaterThan(80);
    }

    /** Each file with its permissions and what is in it. */
    private static Map<String, String> files(Path root) throws IOException {
        Map<String, String> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path each : all.toList()) {
                String permissions = PosixFilePermissions.toString(Files.getPosixFilePermissions(each));
                found.put(
                        root.relativize(each).toString(),
                        permissions + ' ' + (Files.isDirectory(each) ? "" : checksum(each)));
            }
        }
        return found;
    }

    private static String checksum(Path file) throws IOException {
        CRC32 sum = new CRC32();
        try (InputStream in = Files.newInputStream(file)) {
            sum.update(in.readAllBytes());
        }
        return Long.toHexString(sum.getValue());
    }

    /** Nothing of the machine that packed it: no time, no user, no order of a directory. */
    @Test
    void tar_isTheSameWhereverItIsMade() throws Exception {
        Pattern line = Pattern.compile("([d-]\\S+) (\\S+) +\\d+ (\\S+ \\S+) (\\S+)");
        List<MatchResult> entries = output("tar", "-tvzf", FILE + ".tar.gz", "--numeric-owner", "--full-time").stream()
                .flatMap(each -> line.matcher(each).results())
                .toList();
        assertThat(entries).hasSizeGreaterThan(80);
        assertThat(entries).allSatisfy(entry -> {
            assertThat(entry.group(1)).isIn("drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x");
            assertThat(entry.group(2)).isEqualTo("0/0");
            assertThat(entry.group(3)).isEqualTo("2026-01-01 00:00:00");
        });
        List<String> names = entries.stream().map(entry -> entry.group(4)).toList();
        assertThat(names)
                .as("each directory itself, so that the umask of who unpacks it does not matter")
                .containsAll(names.stream()
                        .map(name -> name.replaceAll("[^/]+/?$", ""))
                        .filter(parent -> !parent.isEmpty())
                        .toList());
    }
}
