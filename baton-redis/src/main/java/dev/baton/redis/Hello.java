package dev.baton.redis;

import dev.baton.spi.Agreement;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Protocol.Command;

/** The handshake of every connection that carries commands: loads the scripts, and agrees on the namespace. */
final class Hello {
    /** Zero in the scripts' number format. */
    private static final String ZERO = "\0".repeat(Double.BYTES);

    private final StoreConfig config;
    private final Keys keys;
    private final Scripts scripts;
    private final String target;

    Hello(StoreConfig config, Keys keys, Scripts scripts, String target) {
        this.config = config;
        this.keys = keys;
        this.scripts = scripts;
        this.target = target;
    }

    /** Refuses a namespace that this client cannot work with. */
    void say(Dialer.Open open) throws StoreFailure {
        // In one piece: far away, one round trip for each command would take noticeable time.
        List<CommandArguments> words = new ArrayList<>();
        for (Script script : scripts.all()) {
            words.add(Dialer.line(Command.SCRIPT, "LOAD", script.text()));
        }
        words.add(Dialer.line(Command.EVAL, scripts.get(Script.Name.RIGHTS).text(), 1, keys.nothing()));
        // Calls the script without a name.
        words.add(Dialer.line(
                Command.EVALSHA,
                scripts.get(Script.Name.INSPECT).sha(),
                0,
                open.server().runId() + ZERO));
        words.add(agreement(open.server()));
        List<Object> answers = open.askAll(words);
        Object agreed = answers.remove(answers.size() - 1);
        Object called = answers.remove(answers.size() - 1);
        Object denied = answers.remove(answers.size() - 1);
        requireLoaded(answers);
        requireRights(denied, called);
        Map<String, String> recorded = recorded(agreed);
        new Agreement(
                        (int) number(recorded, "protocol"),
                        (int) number(recorded, "buckets"),
                        number(recorded, "grace"),
                        number(recorded, "claim_window"),
                        number(recorded, "presence"))
                .require(
                        Agreement.of(config.timings()),
                        "namespace \"" + config.namespace() + "\" of Redis at " + target);
    }

    /** Ignores denials: if loading is not permitted, the first use of a script sends its text. */
    private static void requireLoaded(List<Object> answers) throws StoreFailure {
        for (Object answer : answers) {
            if (answer instanceof StoreFailure refused && refused.reason() != Reason.DENIED) {
                throw refused;
            }
        }
    }

    /** Refuses a user that lacks a right now; otherwise a script would find out after half of its writes. */
    private void requireRights(Object denied, Object called) throws StoreFailure {
        if (denied instanceof StoreFailure refused) {
            throw refused;
        }
        List<String> missing = new ArrayList<>(Dialer.texts(denied));
        if (called instanceof StoreFailure refused && refused.reason() == Reason.DENIED) {
            missing.add("EVALSHA");
        }
        if (!missing.isEmpty()) {
            String rights = missing.stream()
                    .map(command -> '+' + command.toLowerCase(Locale.ROOT))
                    .collect(Collectors.joining(" "));
            throw new StoreFailure(
                    Effect.NONE,
                    Reason.DENIED,
                    "the user of Redis at " + target + " lacks rights that locks need: give it " + rights
                            + " (the page of the Redis store lists all)",
                    null);
        }
    }

    private CommandArguments agreement(Server server) {
        Agreement own = Agreement.of(config.timings());
        return Dialer.line(
                Command.EVAL,
                scripts.get(Script.Name.HELLO).text(),
                1,
                keys.descriptor(),
                server.runId(),
                server.role(),
                server.replicationId(),
                server.earlierReplicationId(),
                "protocol",
                own.protocol(),
                "buckets",
                own.buckets(),
                "grace",
                own.graceMicros(),
                "claim_window",
                own.claimMicros(),
                "presence",
                own.presenceMicros());
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
        try {
            open.ask(Command.PUBLISH, keys.channels() + config.clientId(), "");
        } catch (StoreFailure refused) {
            warnings.add("this user may not publish on " + target + ", so waiting takes up to a second longer than it"
                    + " must: give it +publish and the channels &" + config.namespace() + ":* ("
                    + refused.getMessage() + ')');
        }
        return warnings;
    }
}
