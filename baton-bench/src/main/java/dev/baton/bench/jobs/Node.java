package dev.baton.bench.jobs;

import dev.baton.bench.jobs.JobPeer.Seen;
import dev.baton.bench.jvm.Answers;
import dev.baton.bench.jvm.ChildJvm;
import dev.baton.bench.jvm.Message;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The program of a {@link Machine}: it runs one node of a product at a time. */
final class Node {
    static final String OPEN = "open";
    static final String SCHEDULE = "schedule";
    static final String HEARD = "heard";
    static final String SEE = "see";
    static final String ASK = "ask";
    static final String CLOSE = "close";
    static final String PRODUCT = "product";
    static final String URI = "uri";
    static final String NAME = "name";
    static final String JOBS = "jobs";
    static final String FIRE_TIME = "fireTime";
    static final String REFUSED = "refused";
    static final String NEXT = "next";
    static final String WORDS = "words";

    private static final Message DONE = Message.of(Map.of());

    private @Nullable JobPeer peer;

    private Node() {}

    /**
     * Answers requests until its input ends.
     *
     * @param args none
     * @throws IOException if its output is closed
     */
    public static void main(String[] args) throws IOException {
        Node node = new Node();
        // The node ends with its JVM.
        Answers.serve(node::answer, () -> {});
    }

    private Message answer(Message question) throws Exception {
        return switch (question.text(ChildJvm.WHAT)) {
            case OPEN -> open(question);
            case SCHEDULE -> schedule(question);
            case HEARD -> Message.of(Map.of(WORDS, peer().heard()));
            case SEE -> see(JobSpec.from(question));
            case ASK -> ask(question);
            case CLOSE -> close();
            default -> throw new IllegalArgumentException("no such question: " + question);
        };
    }

    private Message open(Message question) throws Exception {
        String uri = question.text(URI);
        String name = question.text(NAME);
        RunTable table = new RunTable(uri);
        peer = Product.valueOf(question.text(PRODUCT))
                .open(uri, name, (job, fireTime, attempt) -> table.run(job, fireTime, attempt, name));
        return DONE;
    }

    private Message schedule(Message question) throws Exception {
        try {
            peer().schedule(question.messages(JOBS).stream().map(JobSpec::from).toList());
            return DONE;
        } catch (IllegalArgumentException refused) {
            return Message.of(Map.of(REFUSED, refused.getClass().getSimpleName() + ": " + refused.getMessage()));
        }
    }

    private Message see(JobSpec job) throws Exception {
        Seen seen = peer().seen(job);
        Message answer = Message.of(Map.of(WORDS, seen.record()));
        return seen.next().map(next -> answer.with(NEXT, next.toEpochMilli())).orElse(answer);
    }

    private Message ask(Message question) throws Exception {
        Instant fireTime = Instant.ofEpochMilli(question.number(FIRE_TIME));
        return Message.of(Map.of(WORDS, peer().ask(JobSpec.from(question), fireTime)));
    }

    private JobPeer peer() {
        if (peer == null) {
            throw new IllegalStateException("no node was opened");
        }
        return peer;
    }

    private Message close() throws Exception {
        JobPeer last = peer();
        peer = null;
        last.close();
        return DONE;
    }
}
