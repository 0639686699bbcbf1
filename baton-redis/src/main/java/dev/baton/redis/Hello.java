package dev.baton.redis;

import dev.baton.spi.Agreement;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/**
 * The handshake of every connection that carries commands: loads the scripts, agrees on the namespace, and has the server
 * look whether it may have forgotten the namespace.
 */
final class Hello {
    /** Protocol 2 had one key for each call and no evidence of forgetting. */
    private static final int OLDEST_PROTOCOL = 3;

    private static final int NEWEST_PROTOCOL = 3;

    // What a client says of a bucket without evidence.
    private static final long NEW = 0;
    private static final long FORGOTTEN = 1;
    private static final long ONLY_LOOK = 2;

    private static final String PROTOCOL = "protocol";
    private static final String FORGETTING = "forgetting";
    private static final String ID = "id";

    private final StoreConfig config;
    private final Keys keys;
    private final Scripts scripts;
    private final ScriptCalls calls;
    private final GraceMode grace;
    private final int replicas;
    private final String target;
    private final Channels channels;

    /**
     * The agreement that this client would record, for all its nodes. Once it knows the namespace's identity, it would
     * record that again, so that the namespace keeps it if the server forgets it.
     */
    private final AtomicReference<Agreement> own;

    Hello(
            StoreConfig config,
            Keys keys,
            Scripts scripts,
            ScriptCalls calls,
            GraceMode grace,
            int replicas,
            Channels channels,
            AtomicReference<Agreement> own,
            String target) {
        this.config = config;
        this.keys = keys;
        this.scripts = scripts;
        this.calls = calls;
        this.grace = grace;
        this.replicas = replicas;
        this.channels = channels;
        this.target = target;
        this.own = own;
    }

    /** Returns what a client would record of a namespace that it does not know yet. */
    static Agreement agreement(StoreConfig config) {
        return Agreement.of(config.timings(), OLDEST_PROTOCOL, NEWEST_PROTOCOL);
    }

    /** Returns the namespace's identity. Only valid after the first handshake. */
    String namespaceId() {
        return own().namespaceId();
    }

    private Agreement own() {
        return Objects.requireNonNull(own.get());
    }

    /**
     * Refuses a namespace that this client cannot work with.
     *
     * @param again whether this client knows that the namespace existed: a server without it has forgotten it
     * @return the rest of a grace period, in microseconds; 0 outside one
     */
    long say(Dialer.Open open, boolean again) throws StoreFailure {
        int first = firstBucket();
        // In one piece: far away, one round trip for each command would take noticeable time.
        List<CommandArguments> words = new ArrayList<>();
        for (Script script : scripts.all()) {
            words.add(Dialer.line(Command.SCRIPT, "LOAD", script.text()));
        }
        words.add(Dialer.line(Command.EVAL, scripts.get(Script.Name.RIGHTS).text(), 1, keys.nothing(first)));
        // Calls the script without a name.
        words.add(Dialer.line(Command.EVALSHA, scripts.get(Script.Name.INSPECT).sha(), 0, argument(open, 0)));
        words.add(look(open, first, ONLY_LOOK));
        if (first == 0) {
            words.add(descriptor(List.of(ID, namespaceId())));
        }
        List<Object> answers = open.askAll(words);
        Object agreed = first == 0 ? answers.remove(answers.size() - 1) : null;
        Object looked = answers.remove(answers.size() - 1);
        Object called = answers.remove(answers.size() - 1);
        Object denied = answers.remove(answers.size() - 1);
        requireLoaded(answers);
        requireRights(denied, called);
        // Elsewhere the client has seen the descriptor, or is going to write it.
        return agreed == null
                ? lookAtAll(open, again)
                : agree(open, recorded(agreed), number(looked, 1) == 1, number(looked, 0), again);
    }

    /** Returns the first bucket of the server. It is bucket 0 of the server that has the descriptor. */
    private int firstBucket() throws StoreFailure {
        List<Integer> numbers = channels.buckets().numbers();
        if (numbers.isEmpty()) {
            throw new StoreFailure(
                    Effect.NONE, Reason.UNREACHABLE, target + " keeps no locks of the namespace now", null);
        }
        return numbers.get(0);
    }

    /** Agrees on the namespace, where its descriptor is, and makes it if it is not there. */
    private long agree(Dialer.Open open, Map<String, String> found, boolean begins, long rest, boolean again)
            throws StoreFailure {
        Map<String, String> recorded = found;
        long left = rest;
        if (recorded.isEmpty()) {
            boolean forgotten = again || hasClients(open);
            left = lookAtAll(open, forgotten);
            recorded = recorded(open.askAll(List.of(descriptor(fields()))).get(0));
        } else if (begins) {
            // Otherwise that of a name would begin its grace period when it is used next.
            left = lookAtAll(open, true);
        }
        String id = agreed(recorded).namespaceId();
        own.updateAndGet(before -> before.withNamespaceId(id));
        return left;
    }

    /**
     * Makes the buckets that are missing, and has the server look whether it forgot them; returns the longest rest of a
     * grace period.
     *
     * @param known whether the namespace existed
     */
    long lookAtAll(Dialer.Open open, boolean known) throws StoreFailure {
        long state = known || grace == GraceMode.STRICT ? FORGOTTEN : NEW;
        List<CommandArguments> words = new ArrayList<>();
        channels.buckets().numbers().forEach(bucket -> words.add(look(open, bucket, state)));
        long longest = 0;
        for (Object answer : open.askAll(words)) {
            longest = Math.max(longest, number(answer, 0));
        }
        return longest;
    }

    private CommandArguments look(Dialer.Open open, int bucket, long state) {
        Script found = scripts.get(Script.Name.FOUND);
        CommandArguments line = Dialer.line(Command.EVAL, found.text(), 1, keys.bucket(bucket), argument(open, state));
        byte[] clock = calls.clockArgument();
        return clock == null ? line : line.add("").add(clock);
    }

    private static long number(Object answer, int index) throws StoreFailure {
        if (answer instanceof StoreFailure refused) {
            throw refused;
        }
        return (Long) ((List<?>) answer).get(index);
    }

    /**
     * Whether clients of the namespace listen to their channel: then it existed, and the server has forgotten it. If that
     * cannot be known, it may have existed.
     */
    boolean hasClients(Dialer.Open open) throws StoreFailure {
        Object counted = open.askAll(List.of(Dialer.line(Command.PUBSUB, "NUMSUB", keys.presence(channels.database()))))
                .get(0);
        return counted instanceof StoreFailure || number(counted, 1) > 0;
    }

    /** Whether the first bucket of the server is there. */
    boolean hasBuckets(Dialer.Open open) throws StoreFailure {
        return exists(open, keys.bucket(firstBucket()));
    }

    boolean hasDescriptor(Dialer.Open open) throws StoreFailure {
        return exists(open, keys.descriptor());
    }

    private static boolean exists(Dialer.Open open, String key) throws StoreFailure {
        return (Long) open.ask(Command.EXISTS, key) == 1;
    }

    /** Returns the argument that scripts have in common, and a number. */
    private static byte[] argument(Dialer.Open open, long number) {
        byte[] runId = Keys.bytes(open.server().runId());
        return ByteBuffer.allocate(runId.length + Double.BYTES)
                .put(runId)
                .put(ScriptCalls.number(number))
                .array();
    }

    /** Ignores denials: if loading is not permitted, the first use of a script sends its text. */
    private static void requireLoaded(List<Object> answers) throws StoreFailure {
        for (Object answer : answers) {
            if (answer instanceof StoreFailure refused && refused.reason() != Reason.DENIED) {
                throw refused;
            }
        }
    }

    /** Refuses a user that lacks a right, on a connection that commands use. */
    void requireRights(Pipeline pipeline, Deadline deadline) throws StoreFailure {
        int first = firstBucket();
        Call rights = pipeline.ask(
                (out, wire) -> out.command(4)
                        .bulk("EVAL")
                        .bulk(scripts.get(Script.Name.RIGHTS).text())
                        .bulk(1)
                        .bulk(keys.nothing(first)),
                deadline);
        Rights.of(Answer.list(rights, target)).require(target);
    }

    /** Refuses a user that lacks a right now; otherwise a script would find out after half of its writes. */
    private void requireRights(Object denied, Object called) throws StoreFailure {
        if (denied instanceof StoreFailure refused) {
            throw refused;
        }
        Rights rights = Rights.of(denied);
        if (called instanceof StoreFailure refused && refused.reason() == Reason.DENIED) {
            rights = rights.without("EVALSHA");
        }
        rights.require(target);
    }

    /** Refuses a user who may not wait for replicas; waiting for none of them is answered at once. */
    private void requireWait(Dialer.Open open) throws StoreFailure {
        try {
            Object unused = open.ask(Command.WAIT, 0, 1);
        } catch (StoreFailure refused) {
            if (refused.reason() != Reason.DENIED) {
                throw refused;
            }
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.DENIED,
                    "the user of Redis at " + target + " lacks a right that replicated=" + replicas
                            + " needs: give it +wait",
                    refused);
        }
    }

    private CommandArguments descriptor(List<String> fields) {
        CommandArguments line =
                Dialer.line(Command.EVAL, scripts.get(Script.Name.HELLO).text(), 1, keys.descriptor());
        fields.forEach(line::add);
        return line;
    }

    /** Returns the fields that this client would record, each with its value. */
    private List<String> fields() {
        Agreement recording = own();
        return List.of(
                ID,
                recording.namespaceId(),
                PROTOCOL,
                recording.protocols(),
                "buckets",
                Integer.toString(recording.buckets()),
                "grace",
                Long.toString(recording.graceMicros()),
                "claim_window",
                Long.toString(recording.claimMicros()),
                "presence",
                Long.toString(recording.presenceMicros()),
                FORGETTING,
                grace.text());
    }

    /** Returns the recorded agreement; refuses one that this client cannot work with. */
    private Agreement agreed(Map<String, String> recorded) throws StoreFailure {
        String where = "namespace \"" + config.namespace() + "\" of Redis at " + target;
        String protocols = recorded.getOrDefault(PROTOCOL, "");
        Agreement agreed = Agreement.of(
                protocols,
                (int) number(recorded, "buckets"),
                number(recorded, "grace"),
                number(recorded, "claim_window"),
                number(recorded, "presence"),
                recorded.getOrDefault(ID, ""),
                where);
        agreed.require(own(), where);
        String forgetting = recorded.getOrDefault(FORGETTING, "");
        if (!forgetting.equals(grace.text())) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    where + " was made with grace=" + forgetting + ", but this client has grace=" + grace.text()
                            + ": use the same in all clients, or another namespace",
                    null);
        }
        return agreed;
    }

    private static Map<String, String> recorded(Object answer) throws StoreFailure {
        if (answer instanceof StoreFailure refused) {
            throw refused;
        }
        List<String> fields = Dialer.texts(answer);
        Map<String, String> recorded = new HashMap<>();
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            recorded.put(fields.get(i), fields.get(i + 1));
        }
        return recorded;
    }

    private long number(Map<String, String> recorded, String field) throws StoreFailure {
        String text = recorded.getOrDefault(field, "");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.UNFIT,
                    "the key " + keys.descriptor() + " on Redis at " + target
                            + " is not a descriptor of Baton's: it has " + field + "=\"" + text
                            + "\"; use another namespace, or remove the key if nothing is locked",
                    e);
        }
    }

    /** Returns the risks in the server's setup and in this user's rights. */
    List<String> warnings(Dialer.Open open) throws StoreFailure {
        List<String> warnings = new ArrayList<>(open.server().warnings());
        if (replicas > 0) {
            requireWait(open);
            int attached = open.server().replicas().size();
            if (attached < replicas) {
                warnings.add("replicated=" + replicas + " needs more replicas than follow " + target
                        + ", where there are " + attached + " now: no lock can be acquired until enough of them do");
            }
        }
        try {
            String channel = keys.channel(firstBucket(), config.clientId());
            open.ask(channels.sharded() ? Command.SPUBLISH : Command.PUBLISH, channel, "");
        } catch (StoreFailure refused) {
            warnings.add("this user may not publish on " + target + ", so waiting takes up to a second longer than it"
                    + " must: give it " + (channels.sharded() ? "+spublish" : "+publish") + " and the channels &"
                    + config.namespace() + ":* ("
                    + refused.getMessage() + ')');
        }
        return warnings;
    }
}
