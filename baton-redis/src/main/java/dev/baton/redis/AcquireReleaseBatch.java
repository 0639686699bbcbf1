package dev.baton.redis;

import dev.baton.spi.Acquire;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Acquires and releases; one call of a script carries all that are ready to be sent, because the fixed cost of a call
 * is nearly half of the server's work for one of them.
 */
final class AcquireReleaseBatch implements Call.Joint {
    /** Keeps one call under a millisecond of the server's time, even if each of them hands a lock over. */
    static final int MOST = 24;

    private static final int QUEUE = 'Q';
    private static final int TRY = 'T';
    private static final int RELEASE = 'R';
    private static final int RELEASE_AND_RECORD = 'S';
    private static final int RELEASE_AND_KEEP = 'K';
    /** Claimed, and not revoked. */
    private static final byte[] HELD = {'1', '0'};

    private final Keys keys;
    private final ScriptCalls calls;
    private final long graceMicros;
    private final KnownGrace grace;
    private volatile Expiry lastExpiry = new Expiry(0);

    // Only the leader uses these.
    private final RespWriter records = new RespWriter();
    private final RespWriter parts = new RespWriter();

    AcquireReleaseBatch(Keys keys, ScriptCalls calls, long graceMicros, KnownGrace grace) {
        this.keys = keys;
        this.calls = calls;
        this.graceMicros = graceMicros;
        this.grace = grace;
    }

    Request acquire(Acquire command, long leastToken) {
        return new Turn(command, leastToken, null);
    }

    Request release(Release command) {
        return new Turn(null, 0, command);
    }

    /** Returns many releases as one command. */
    Request releases(List<Release> some) {
        return (out, wire, whole) -> {
            RespWriter names = new RespWriter();
            RespWriter what = new RespWriter();
            some.forEach(each -> new Turn(null, 0, each).write(names, what));
            call(out, wire, whole, some.size(), names, what);
        };
    }

    // ---- several --------------------------------------------------------------------------------------------------

    @Override
    public RespWriter begin() {
        records.truncate(0);
        parts.truncate(0);
        return parts;
    }

    @Override
    public int size() {
        return records.size() + parts.size();
    }

    @Override
    public int most() {
        return MOST;
    }

    @Override
    public void end(RespWriter out, Wire wire, int count) {
        call(out, wire, false, count, records, parts);
    }

    private void call(RespWriter out, Wire wire, boolean whole, int count, RespWriter names, RespWriter what) {
        calls.begin(out, Script.Name.TURNS, whole, count, 1).part(names);
        byte[] client = calls.client();
        calls.common(out, wire, client.length + what.size())
                .part(client)
                .part(what)
                .end();
        calls.finish(out, 1);
    }

    // ---- one of them ----------------------------------------------------------------------------------------------

    /** An acquire or a release. */
    private final class Turn implements Request {
        private final @Nullable Acquire acquire;
        private final long leastToken;
        private final @Nullable Release release;

        Turn(@Nullable Acquire acquire, long leastToken, @Nullable Release release) {
            this.acquire = acquire;
            this.leastToken = leastToken;
            this.release = release;
        }

        @Override
        public Call.Joint joint() {
            return AcquireReleaseBatch.this;
        }

        @Override
        public void encode(RespWriter out, Wire wire) {
            write(records, out);
        }

        /** Writes the command alone: on another thread than the leader's, or with the script's text. */
        @Override
        public void write(RespWriter out, Wire wire, boolean whole) {
            RespWriter name = new RespWriter();
            RespWriter part = new RespWriter();
            write(name, part);
            call(out, wire, whole, 1, name, part);
        }

        private void write(RespWriter name, RespWriter part) {
            if (acquire != null) {
                part(acquire, leastToken, part);
                keys.write(acquire.resource().name(), name);
            } else if (release != null) {
                part(release, part);
                keys.write(release.resource().name(), name);
            }
        }
    }

    private void part(Release command, RespWriter out) {
        boolean keeps = command.keepMicros() > 0;
        out.octet(keeps ? RELEASE_AND_KEEP : grace.isOn() ? RELEASE_AND_RECORD : RELEASE)
                .part(command.number().value())
                .part(command.token())
                .part(command.attempt());
        if (keeps) {
            out.part(command.keepMicros());
        }
    }

    private void part(Acquire command, long leastToken, RespWriter out) {
        boolean queues = command.mode() == Acquire.Mode.QUEUE;
        Resource resource = command.resource();
        byte[] expiry = command.weight() > resource.capacity() ? new byte[0] : expiry(command);
        byte[] description = Stored.description(command.description());
        out.octet(queues ? QUEUE : TRY)
                .part(command.attempt().value())
                .part(command.leaseMicros())
                .octet(expiry.length)
                .fourOctets(4 * Double.BYTES + HELD.length + description.length);
        (queues ? out.eightOctets(command.secret()) : out.part(leastToken))
                .part(expiry)
                .part(Stored.number(resource.kind()))
                .part(resource.capacity())
                .part(command.weight())
                .part(command.lockDelayMicros())
                .part(HELD)
                .part(description);
    }

    /** Returns when the server may forget the record, as text: nearly always the same as for the previous acquire. */
    private byte[] expiry(Acquire command) {
        long millis = (command.leaseMicros() + command.lockDelayMicros() + graceMicros) / 1_000 + 1;
        Expiry last = lastExpiry;
        if (last.millis != millis) {
            last = new Expiry(millis);
            lastExpiry = last;
        }
        return last.text;
    }

    private static final class Expiry {
        private final long millis;
        private final byte[] text;

        Expiry(long millis) {
            this.millis = millis;
            this.text = Long.toString(millis).getBytes(StandardCharsets.US_ASCII);
        }
    }
}
