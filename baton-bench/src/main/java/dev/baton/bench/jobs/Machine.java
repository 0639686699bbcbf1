package dev.baton.bench.jobs;

import dev.baton.bench.jobs.JobPeer.Seen;
import dev.baton.bench.jvm.ChildJvm;
import dev.baton.bench.jvm.Message;
import dev.baton.servers.clock.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A node in a JVM of its own. For one thread at a time. */
final class Machine {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final String name;
    private final ChildJvm jvm;
    private final @Nullable SettableClock clock;
    private boolean isKilled;

    /**
     * Takes a JVM, whose program is {@link Node}.
     *
     * @param clock the clock of the JVM, if it differs from the machine's
     */
    Machine(String name, ChildJvm jvm, @Nullable SettableClock clock) {
        this.name = name;
        this.jvm = jvm;
        this.clock = clock;
    }

    private Message ask(String what, Message with) throws Exception {
        return jvm.ask(what, with, PATIENCE);
    }

    void open(Product product, String uri) throws Exception {
        ask(Node.OPEN, Message.of(Map.of(Node.PRODUCT, product.name(), Node.URI, uri, Node.NAME, name)));
        if (clock != null && clock.shiftedReads() == 0) {
            throw new IllegalStateException("the clock of " + name + " could not be set");
        }
    }

    /** Schedules jobs; returns why the product refuses to, if it does. */
    Optional<String> offer(List<JobSpec> jobs) throws Exception {
        List<Map<String, Object>> fields =
                jobs.stream().map(job -> job.toMessage().fields()).toList();
        Message answer = ask(Node.SCHEDULE, Message.of(Map.of(Node.JOBS, fields)));
        return answer.has(Node.REFUSED) ? Optional.of(answer.text(Node.REFUSED)) : Optional.empty();
    }

    List<String> heard() throws Exception {
        return ask(Node.HEARD, Message.of(Map.of())).texts(Node.WORDS);
    }

    Seen seen(JobSpec job) throws Exception {
        Message answer = ask(Node.SEE, job.toMessage());
        return new Seen(
                answer.has(Node.NEXT) ? Optional.of(Instant.ofEpochMilli(answer.number(Node.NEXT))) : Optional.empty(),
                answer.text(Node.WORDS));
    }

    String ask(JobSpec job, Instant fireTime) throws Exception {
        return ask(Node.ASK, job.toMessage().with(Node.FIRE_TIME, fireTime.toEpochMilli()))
                .text(Node.WORDS);
    }

    String name() {
        return name;
    }

    void kill() {
        isKilled = true;
        jvm.kill();
    }

    boolean isKilled() {
        return isKilled;
    }

    void pause() throws IOException, InterruptedException {
        jvm.signal("STOP");
    }

    void resume() throws IOException, InterruptedException {
        jvm.signal("CONT");
    }

    /** Closes the node; returns the JVM if another node may use it. */
    Optional<ChildJvm> close() {
        try {
            if (!isKilled) {
                ask(Node.CLOSE, Message.of(Map.of()));
                if (clock == null) {
                    return Optional.of(jvm);
                }
            }
        } catch (Exception e) {
            // The counts have been read; the JVM is closed below.
            Thread.interrupted();
        }
        jvm.close();
        return Optional.empty();
    }
}
