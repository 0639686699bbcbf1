package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.Baton;
import dev.baton.Lease;
import dev.baton.spi.CommandNumber;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events for the Flight Recorder: what a recording shows, and that nothing is there without one. */
class FlightTest extends EngineCase {
    private static final HoldRequest RENEWED = InlineDriver.RENEWED;

    @TempDir
    private Path directory;

    /** Returns what a recording shows of the things that happen, with waits and holds of any length. */
    private List<RecordedEvent> recorded(Runnable happening) throws IOException {
        return recorded(
                recording -> List.of("Wait", "Hold")
                        .forEach(each -> recording.enable("dev.baton." + each).withThreshold(Duration.ZERO)),
                happening);
    }

    private List<RecordedEvent> recorded(Consumer<Recording> settings, Runnable happening) throws IOException {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording()) {
            settings.accept(recording);
            recording.start();
            happening.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(each -> each.getEventType().getName().startsWith("dev.baton."))
                .toList();
    }

    private static List<RecordedEvent> ofType(String type, List<RecordedEvent> all) {
        return all.stream()
                .filter(each -> each.getEventType().getName().equals("dev.baton." + type))
                .toList();
    }

    private Caller askHere(String name, boolean tryOnly) {
        return ask(name, new Caller(RENEWED, tryOnly, true, Thread.currentThread()));
    }

    private static Grant granted(Caller caller) {
        return Objects.requireNonNull(caller.grant());
    }

    @Test
    void waitsAndHolds_haveNameCallerAndOutcome() throws IOException {
        List<RecordedEvent> all = recorded(() -> {
            Grant first = granted(askHere("stock", false));
            askHere("stock", true);
            Caller second = ask("stock", RENEWED, false);
            release(first);
            release(granted(second));
        });
        assertThat(ofType("Wait", all))
                .extracting(each -> each.getString("outcome"))
                .containsExactlyInAnyOrder("ACQUIRED", "BUSY", "HANDED_OFF");
        assertThat(ofType("Hold", all))
                .extracting(each -> each.getString("outcome"))
                .containsExactly("RELEASED", "RELEASED");
        assertThat(all).extracting(each -> each.getString("lock")).containsOnly("stock");
        RecordedThread caller = ofType("Hold", all).get(0).getThread("caller");
        assertThat(caller.getJavaName()).isEqualTo(Thread.currentThread().getName());
        assertThat(ofType("Hold", all).get(1).getThread("caller")).isNull();
        assertThat(ofType("HandOff", all)).hasSize(1);
        assertThat(ofType("Hold", all))
                .extracting(each -> each.getLong("token"))
                .doesNotContain(0L);
    }

    @Test
    void lostLease_saysWhy_andForHowLongItWasHeld() throws IOException {
        List<RecordedEvent> all = recorded(() -> {
            Grant grant = acquire("stock", RENEWED);
            driver.machine.release(
                    "client",
                    new Release(Resource.lock("stock"), 1, grant.token() / 256, CommandNumber.of(2), false, 0),
                    driver.storeMicros(),
                    (client, push) -> {});
            passByTimers(11 * SECOND);
        });
        RecordedEvent lost = ofType("Lost", all).get(0);
        assertThat(lost.getString("cause")).isEqualTo("REVOKED");
        assertThat(lost.getDuration("held")).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(5));
        assertThat(ofType("Hold", all))
                .extracting(each -> each.getString("outcome"))
                .containsExactly("LOST");
    }

    @Test
    void silentStore_isRecordedWhenItIsTold_andWhenItIsOver() throws IOException {
        List<RecordedEvent> all = recorded(() -> {
            acquire("held", RENEWED);
            Deque<Command> open = holdAnswersBack();
            ask("wanted", RENEWED, false);
            open.forEach(driver.engine::sending);
            live(4 * SECOND);
            driver.held = null;
            while (!open.isEmpty()) {
                driver.performSent(open.remove(), () -> {});
            }
        });
        assertThat(ofType("StoreSilent", all))
                .extracting(each -> each.getBoolean("isOver"))
                .containsExactly(false, true);
        assertThat(ofType("StoreSilent", all).get(1).getDuration("silence"))
                .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }

    /**
     * Ten milliseconds, as the JDK's own events of monitors: an uncontended pair would fill any recording. A stall of
     * the machine may make a few of the short ones long.
     */
    @Test
    void shortWaitsAndHolds_areNotRecorded_byDefault() throws IOException {
        List<RecordedEvent> all = recorded(recording -> {}, () -> {
            for (int i = 0; i < 20; i++) {
                release(acquire("short", RENEWED));
            }
            Grant grant = acquire("long", RENEWED);
            long until = System.nanoTime() + 20 * MILLI;
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            release(grant);
        });
        assertThat(ofType("Hold", all))
                .extracting(each -> each.getString("lock"))
                .containsOnlyOnce("long");
        assertThat(all.stream().filter(each -> each.getString("lock").equals("short")))
                .hasSizeLessThan(10);
    }

    /** Loading them would cost each start of a program some milliseconds. */
    @Test
    void withoutARecording_notEvenTheClassesOfEventsAreLoaded() throws Exception {
        Path log = directory.resolve("classes.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xlog:class+load:file=" + log,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Pair.class.getName())
                .inheritIO()
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        try (Stream<String> lines = Files.lines(log)) {
            assertThat(lines.filter(each -> each.contains("Flight") || each.contains("PlatformRecorder")))
                    .anyMatch(each -> each.contains(Flight.class.getName() + " "))
                    .noneMatch(each -> each.contains("Flight$"))
                    .noneMatch(each -> each.contains("PlatformRecorder"));
        }
    }

    /** A program that takes a lock. */
    static final class Pair {
        private Pair() {}

        public static void main(String[] arguments) throws InterruptedException {
            try (Baton baton = Baton.connect("memory://flight");
                    Lease lease = baton.lock("stock").acquire()) {
                lease.ensureHeld();
            }
        }
    }
}
