package dev.baton.memcached;

import dev.baton.spi.Agreement;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The handshake on a new connection: identifies the server, and checks its fitness and the namespace's agreement. */
final class Hello {
    private static final int[] OLDEST = {1, 6, 13};
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+).*");

    private final Keys keys;
    private final String where;
    private final String target;

    /**
     * The agreement that this client would record. Once it knows the namespace's identity, it would record that again, so
     * that the namespace keeps it if the server forgets it.
     */
    private volatile Agreement own;

    Hello(StoreConfig config, Keys keys, String target) {
        this.keys = keys;
        this.own = Agreement.of(config.timings());
        this.where = "namespace \"" + config.namespace() + "\" in Memcached at " + target;
        this.target = target;
    }

    /** Returns the namespace's identity. Only valid after the first handshake. */
    String namespaceId() {
        return own.namespaceId();
    }

    /** Greets the server, and refuses one that cannot keep locks. */
    Session say(Wire wire, Deadline deadline) throws IOException, StoreFailure {
        Session session = Session.on(wire, deadline);
        requireVersion(session.version());
        agree(wire, deadline);
        return session;
    }

    private void requireVersion(String version) throws StoreFailure {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            throw unfit("what answers at " + target + " is no Memcached: it says its version is \"" + version + '"');
        }
        for (int i = 0; i < OLDEST.length; i++) {
            int part = Integer.parseInt(parts.group(i + 1));
            if (part != OLDEST[i]) {
                if (part > OLDEST[i]) {
                    return;
                }
                throw unfit("Memcached at " + target + " is version " + version
                        + ", which cannot delete one version of an item and no other: 1.6.13 or newer is needed");
            }
        }
    }

    /** Checks the agreement, which the first client of a namespace records for all. */
    private void agree(Wire wire, Deadline deadline) throws IOException, StoreFailure {
        List<Reply> replies = wire.ask(
                List.of(Commands.add(keys.descriptor(), own.text(), 0), Commands.get(keys.descriptor())), deadline);
        Reply recorded = replies.get(1);
        if (!recorded.isFound()) {
            throw unfit("Memcached at " + target + " forgets an item at once: give it memory");
        }
        if (recorded.cas() == 0) {
            throw unfit("Memcached at " + target + " counts no versions of items: start it without -C");
        }
        Agreement agreed =
                Agreement.parse(String.valueOf(recorded.value()), "the item " + keys.descriptor() + " of " + where);
        agreed.require(own, where);
        own = own.withNamespaceId(agreed.namespaceId());
    }

    private static StoreFailure unfit(String message) {
        return new StoreFailure(Effect.NONE, Reason.UNFIT, message, null);
    }
}
