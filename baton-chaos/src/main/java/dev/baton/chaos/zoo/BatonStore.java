package dev.baton.chaos.zoo;

import dev.baton.chaos.history.HostTime;
import dev.baton.spi.Acquire;
import dev.baton.spi.Cancel;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Note;
import dev.baton.spi.NoteView;
import dev.baton.spi.Protocol;
import dev.baton.spi.Push;
import dev.baton.spi.Release;
import dev.baton.spi.Stamp;
import dev.baton.spi.Store;
import dev.baton.spi.StoreConfig;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreListener;
import dev.baton.spi.StoreProvider;
import dev.baton.spi.WriteNote;
import dev.baton.tck.ForwardingStore;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A store on Redis, between which and the engine the steps of a design are taken. Thread-safe. */
final class BatonStore extends ForwardingStore {
    private final BatonDesign design;
    private final Repeater repeater;
    private final Renumbered numbers;
    private final Redis redis;
    private final OpenNotes notes;
    private final JobRecords records;
    private final Schedules schedules;
    private final Store inner;
    private volatile @Nullable Synced last;

    private BatonStore(StoreProvider provider, StoreConfig config, URI uri, BatonDesign design) throws StoreFailure {
        this.design = design;
        this.redis = new Redis(uri.toString());
        this.notes = new OpenNotes(redis, config.namespace());
        this.records = new JobRecords(design.records());
        this.schedules = new Schedules(design.outages());
        this.repeater = new Repeater(design.repeats(), redis, config);
        this.numbers = new Renumbered(design.numbers(), redis);
        this.inner = provider.open(new StoreConfig(
                uri,
                config.namespace(),
                config.clientId(),
                config.timings(),
                config.connectTimeout(),
                config.driverObjects(),
                new Told(config.listener())));
        repeater.begin(inner);
    }

    static Store open(StoreProvider provider, StoreConfig config, URI uri, BatonDesign design) throws StoreFailure {
        return new BatonStore(provider, config, uri, design);
    }

    /** What the engine is told without asking. */
    private final class Told implements StoreListener {
        private final StoreListener engine;

        Told(StoreListener engine) {
            this.engine = engine;
        }

        @Override
        public void onPush(Push push) {
            Synced before = last;
            // A push is a hint: one that cannot be renumbered without asking is left out.
            if (before != null && numbers.knows(push.runId())) {
                long token = numbers.shown(push.attempt(), push.token(), push.runId());
                engine.onPush(design.pushes()
                        .told(
                                new Push(
                                        push.name(),
                                        push.attempt(),
                                        token,
                                        push.deadlineMicros(),
                                        push.nowMicros(),
                                        push.runId(),
                                        push.secret()),
                                before));
            }
        }

        @Override
        public void onReconnect() {
            engine.onReconnect();
            repeater.reconnected();
        }
    }

    @Override
    protected Store inner() {
        return inner;
    }

    private long synced(long sent, Stamp stamp) {
        last = new Synced(sent, stamp);
        return (HostTime.nanos() - sent) / 1_000;
    }

    @Override
    public Acquire.Reply acquire(Acquire command, long timeoutNanos) throws StoreFailure {
        Synced before = last;
        if (before != null && schedules.isEnded(command.resource().name())) {
            return new Acquire.Held(new Stamp(before.runId(), before.nowMicros(), 0), List.of(), 0, 0);
        }
        Acquire asked = kept(command);
        repeater.remember(asked);
        long sent = HostTime.nanos();
        Acquire.Reply reply = answer(asked, timeoutNanos);
        long elapsed = synced(sent, reply.stamp());
        numbers.learn(reply.stamp().runId());
        if (reply instanceof Acquire.Granted granted) {
            reply = new Acquire.Granted(
                    granted.stamp(),
                    numbers.shown(
                            command.attempt().value(),
                            granted.token(),
                            granted.stamp().runId()),
                    granted.deadlineMicros());
        }
        return design.answers().moved(reply, elapsed);
    }

    private Acquire kept(Acquire command) {
        return new Acquire(
                command.resource(),
                command.attempt(),
                command.weight(),
                design.ends().kept(command.leaseMicros()),
                command.lockDelayMicros(),
                command.description(),
                command.mode(),
                command.secret());
    }

    private Heartbeat.Hold kept(Heartbeat.Hold hold) {
        return new Heartbeat.Hold(
                hold.resource(),
                hold.attempt(),
                numbers.real(hold.attempt(), hold.token()),
                hold.weight(),
                design.ends().kept(hold.leaseMicros()),
                hold.lockDelayMicros(),
                hold.extend() || design.answers().extendsAlways(),
                hold.description(),
                hold.restorable());
    }

    @Override
    public Heartbeat.Reply heartbeat(Heartbeat command, long timeoutNanos) throws StoreFailure {
        Heartbeat asked = new Heartbeat(
                command.number(), command.holds().stream().map(this::kept).toList(), command.tickets());
        long sent = HostTime.nanos();
        Heartbeat.Reply reply = answer(asked, timeoutNanos);
        long elapsed = synced(sent, reply.stamp());
        String run = reply.stamp().runId();
        numbers.learn(run);
        List<Heartbeat.HoldReply> holds = new ArrayList<>();
        reply.holds()
                .forEach(each ->
                        holds.add(design.answers().moved(each, reply.stamp().nowMicros(), elapsed)));
        List<Heartbeat.TicketReply> tickets = new ArrayList<>();
        for (int i = 0; i < command.tickets().size(); i++) {
            Heartbeat.TicketReply each = numbers.shown(
                    command.tickets().get(i).attempt(), reply.tickets().get(i), run);
            tickets.add(design.answers().moved(each, elapsed));
        }
        return new Heartbeat.Reply(reply.stamp(), holds, tickets, reply.fromMemory());
    }

    private Acquire.Reply answer(Acquire asked, long timeoutNanos) throws StoreFailure {
        try {
            return inner.acquire(asked, timeoutNanos);
        } catch (StoreFailure unanswered) {
            Synced before = heardBefore(unanswered);
            long now = before.nowMicros();
            return new Acquire.Granted(
                    new Stamp(before.runId(), now, 0), Protocol.clockToken(now), now + asked.leaseMicros());
        }
    }

    private Heartbeat.Reply answer(Heartbeat asked, long timeoutNanos) throws StoreFailure {
        try {
            return inner.heartbeat(asked, timeoutNanos);
        } catch (StoreFailure unanswered) {
            return consent(asked, heardBefore(unanswered));
        }
    }

    /** Returns the last answer if a request without one counts as a yes. */
    private Synced heardBefore(StoreFailure unanswered) throws StoreFailure {
        Synced before = last;
        boolean mayBeDone = unanswered.effect() == StoreFailure.Effect.UNKNOWN;
        if (design.silence() == BatonDesign.Silence.TELLS_NOTHING || before == null || !mayBeDone) {
            throw unanswered;
        }
        return before;
    }

    /** Makes up the answer that all is well. */
    private static Heartbeat.Reply consent(Heartbeat asked, Synced before) {
        long now = before.nowMicros();
        List<Heartbeat.HoldReply> holds = new ArrayList<>();
        asked.holds().forEach(each -> holds.add(new Heartbeat.Renewed(now + each.leaseMicros(), true)));
        List<Heartbeat.TicketReply> tickets = new ArrayList<>();
        asked.tickets().forEach(each -> tickets.add(new Heartbeat.Waiting(1, 0)));
        return new Heartbeat.Reply(new Stamp(before.runId(), now, 0), holds, tickets);
    }

    @Override
    public Release.Reply release(Release command, long timeoutNanos) throws StoreFailure {
        Release asked = new Release(
                command.resource(),
                command.attempt(),
                numbers.real(command.attempt(), command.token()),
                command.number(),
                command.failed(),
                command.keepMicros());
        long sent = HostTime.nanos();
        Release.Reply reply = inner.release(asked, timeoutNanos);
        synced(sent, reply.stamp());
        return reply;
    }

    @Override
    public Stamp cancel(Cancel command, long timeoutNanos) throws StoreFailure {
        long sent = HostTime.nanos();
        Stamp stamp = inner.cancel(command, timeoutNanos);
        synced(sent, stamp);
        return stamp;
    }

    private boolean hasOpenNotes() {
        return design.notes() == BatonDesign.Notes.OF_EACH_CLIENT;
    }

    @Override
    public NoteView note(String name, long timeoutNanos) throws StoreFailure {
        try {
            return records.read(hasOpenNotes() ? notes.read(name) : inner.note(name, timeoutNanos));
        } catch (StoreFailure unanswered) {
            schedules.unanswered(name);
            throw unanswered;
        }
    }

    @Override
    public WriteNote.Reply writeNote(WriteNote command, long timeoutNanos) throws StoreFailure {
        Note note = records.written(command.note());
        if (hasOpenNotes()) {
            return notes.write(command.resource().name(), note);
        }
        return inner.writeNote(
                new WriteNote(
                        command.resource(), command.attempt(), numbers.real(command.attempt(), command.token()), note),
                timeoutNanos);
    }

    @Override
    public void close() {
        repeater.close();
        inner.close();
        redis.close();
    }
}
