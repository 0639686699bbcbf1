package dev.baton.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.cli.Strangers;
import dev.baton.cli.console.CliException;
import dev.baton.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file of this machine's locks belongs to this user, in a place that other users cannot have prepared. */
class OwnFileTest {
    @TempDir
    private Path directory;

    private Path state;
    private Path own;
    private final List<String> told = new ArrayList<>();

    @BeforeEach
    void name() throws IOException {
        state = Files.createDirectory(directory.resolve("state"));
        own = state.resolve("baton");
    }

    private Path find() {
        return find(state.toString());
    }

    private Path find(String stateHome) {
        return OwnFile.find(Map.of("XDG_STATE_HOME", stateHome), directory.resolve("home"), told::add);
    }

    private void isRefused(String... why) {
        assertThatThrownBy(this::find).isInstanceOf(CliException.class).satisfies(refused -> {
            assertThat(((CliException) refused).exitCode()).isEqualTo(ExitCode.ENVIRONMENT);
            assertThat(refused).hasMessageContainingAll(why).hasMessageContaining("--store or BATON_STORE");
        });
    }

    private void makeOwn() throws IOException {
        Files.createDirectory(own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    @Test
    void directory_isMadeForThisUserAlone_andFoundAgain() throws IOException {
        assertThat(find()).isEqualTo(own.resolve("locks.db"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(own)))
                .isEqualTo("rwx------");
        Files.createFile(own.resolve("locks.db"));
        assertThat(find()).exists();
        assertThat(told).isEmpty();
    }

    @Test
    void directoryOfAnotherUser_isRefused() throws IOException {
        makeOwn();
        Strangers.own(own);
        isRefused(own.toString(), Strangers.canGive() ? "belongs to another user" : "open to other users");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rwxr-xr-x", "rwxrwx---", "rwx----w-"})
    void directoryThatIsOpenToOthers_isRefused(String permissions) throws IOException {
        makeOwn();
        Strangers.permit(own, permissions);
        isRefused(own.toString(), "chmod 700");
    }

    @Test
    void symbolicLink_isRefused_whoeverMadeIt() throws IOException {
        Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
        Files.createSymbolicLink(own, elsewhere);
        isRefused(own.toString(), "symbolic link");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void linkToNothing_isRefused() throws IOException {
        Files.createSymbolicLink(own, directory.resolve("nowhere"));
        isRefused(own.toString(), "symbolic link");
    }

    @Test
    void directoryThatOthersMayReplace_isRefused() throws IOException {
        makeOwn();
        Strangers.permit(state, "rwxrwxrwx");
        isRefused(state.toString(), "chmod go-w");
    }

    @Test
    void directoryBelowAnotherUsers_isRefused() throws IOException {
        makeOwn();
        Strangers.own(state);
        isRefused(state.toString());
    }

    /** The link belongs to this user, but its target is below a directory of another user. */
    @Test
    void wayThroughLinks_isLookedAtToTheEnd() throws IOException {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path there = Files.createDirectory(theirs.resolve("state"));
        state = directory.resolve("link");
        Files.createSymbolicLink(state, Path.of("theirs/../theirs/state"));
        own = state.resolve("baton");
        assertThat(find()).isEqualTo(own.resolve("locks.db"));
        assertThat(there.resolve("baton")).isDirectory();
        Strangers.own(theirs);
        isRefused(theirs.toString());
    }

    @Test
    void linksInACircle_areRefused() throws IOException {
        Files.createSymbolicLink(directory.resolve("one"), directory.resolve("two"));
        Files.createSymbolicLink(directory.resolve("two"), directory.resolve("one"));
        state = directory.resolve("one");
        isRefused("cannot create " + state);
    }

    @ParameterizedTest
    @ValueSource(strings = {"locks.db", "locks.db-wal", "locks.db-shm", "locks.db-journal"})
    void fileOfAnotherUser_isRefused(String name) throws IOException {
        Path file = find().resolveSibling(name);
        Files.createFile(file);
        assertThat(find()).isNotNull();
        Strangers.own(file);
        isRefused(file.toString(), Strangers.canGive() ? "belongs to another user" : "chmod 600");
    }

    @Test
    void fileThatOthersMayWrite_orThatIsALink_isRefused() throws IOException {
        Path file = Files.createFile(find());
        Strangers.permit(file, "rw-rw-rw-");
        isRefused(file.toString(), "chmod 600");
        Files.delete(file);
        Files.createSymbolicLink(file, Files.createFile(directory.resolve("theirs.db")));
        isRefused(file.toString(), "remove it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"here", "./here", "../here"})
    void relativeStateHome_isIgnored_andToldOnce(String value) {
        assertThat(find(value)).isEqualTo(directory.resolve("home/.local/state/baton/locks.db"));
        assertThat(told).singleElement().asString().contains("XDG_STATE_HOME", '"' + value + '"', "not absolute");
    }

    @Test
    void userWithoutHome_isToldToNameAStore() {
        assertThatThrownBy(() -> OwnFile.find(Map.of(), Path.of("?"), told::add))
                .isInstanceOf(CliException.class)
                .hasMessageContainingAll("no home directory", "--store");
    }

    /** As in a container that runs as any number. Java has a question mark for the home of such a user. */
    @Test
    void userWhomTheSystemDoesNotKnow_livesWhereTheEnvironmentSays() {
        Path home = directory.resolve("home");
        Map<String, String> environment = Map.of("HOME", home.toString());
        assertThat(OwnFile.find(environment, Path.of("?"), told::add))
                .isEqualTo(home.resolve(".local/state/baton/locks.db"));
        Path known = directory.resolve("known");
        assertThat(OwnFile.find(environment, known, told::add)).isEqualTo(known.resolve(".local/state/baton/locks.db"));
    }
}
