package dev.baton.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The guardian's functions on their own, with invented processes. */
class GuardianTest {
    private static final String LAST_LINE = "guard; exit\n";

    /**
     * Returns the processes that it would signal, in this order, if these processes and parents exist and the command
     * is 9999.
     */
    private static String members(String processes) throws IOException, InterruptedException {
        return members(processes, "' '");
    }

    private static String members(String processes, String seen) throws IOException, InterruptedException {
        String script = guardian() + "\nprocesses() { printf '%s\\n' " + processes + "; }\n" + "mark='' seen=" + seen
                + " pid=9999 born=''\nlook\necho $members\n";
        Process bash = new ProcessBuilder("bash", "-c", script)
                .redirectErrorStream(true)
                .start();
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    }

    /** Returns the script without the line that starts it. */
    private static String guardian() {
        String text = new String(Guardian.script(), StandardCharsets.UTF_8);
        assertThat(text).endsWith(LAST_LINE);
        return text.substring(0, text.length() - LAST_LINE.length());
    }

    /** The order matters: a shell that survives its child would print "Terminated". */
    @Test
    void look_findsParentsBeforeTheirChildren_whateverTheirNumbers() throws Exception {
        assertThat(members("'10000 9999' '10001 10000' '1 0' '9999 9998' '9998 1' '777 10001'"))
                .isEqualTo("9999 10000 10001 777");
    }

    /** This can happen if a process number was reused while the script looked. */
    @Test
    void look_ends_ifProcessesSeemToBeTheirOwnAncestors() throws Exception {
        assertThat(members("'9999 10' '10 9999'")).isEqualTo("9999 10");
    }

    /** The number may belong to any other process by now. */
    @Test
    void look_leavesAProcessAlone_thatHasTheNumberOfOneSeenBefore() throws Exception {
        assertThat(members("'10 1 500' '11 1 700' '12 11 701'", "' 10@400 11@700 '"))
                .isEqualTo("11 12");
    }

    @Test
    void look_findsNobody_ifTheCommandIsGone() throws Exception {
        assertThat(members("'1 0'")).isEmpty();
    }

    /** A process that the guardian starts would be ended by the signals that the guardian itself only notes. */
    @Test
    void signalsToTheGroup_atAnyMoment_takeNoAnswerFromTheGuardian() throws Exception {
        String script = """
                trap '' INT
                (sleep 60; echo "does not end"; kill -s KILL 0) &
                while kill -s INT 0; do
                    for ((j = RANDOM % 500; j > 0; j--)); do :; done
                done &
                trap ':' INT
                birth $$
                born="$result"
                for ((i = 0; i < 500; i++)); do
                    result=""
                    birth $$
                    [[ -n "$born" && "$result" == "$born" ]] || echo "birth: '$result'"
                    result=""
                    seconds 2500
                    [[ "$result" == 2* ]] || echo "seconds: '$result'"
                done
                echo done
                # All at once: a shell that survived a child would report it here as "Killed".
                kill -s KILL 0
                """;
        // Job control gives the guardian a process group of its own: the storm must not reach this JVM.
        Process bash = new ProcessBuilder(
                        "bash", "-c", "set -m; bash -c \"$0\" 2>&1 & wait", guardian() + '\n' + script)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String said = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said.strip()).isEqualTo("done");
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
}
