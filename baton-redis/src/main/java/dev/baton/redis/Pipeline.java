package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A combining pipeline: all threads of a client share one connection. A caller queues its command. If no other caller
 * leads, it becomes the leader: it writes every queued command in one piece, reads answers, and hands the lead to
 * another caller when its own answer has arrived or its time is over. A single thread pays no hop between threads; many
 * threads share each write and each read. The idea is flat combining (Hendler, Incze, Shavit, Tzafrir, SPAA 2010).
 *
 * <p>The pipeline survives: a leader whose time is over (a {@link RespReader} reads the answers and keeps its place,
 * and the leader's own answer is dropped when it arrives); interrupts (noted, and set again on return; a virtual thread
 * never leads, because the JDK closes the socket under an interrupted one); an error in place of an answer (it is an
 * answer); a full send buffer (more than {@value #MOST_IN_FLIGHT} unanswered bytes are not sent, so that a write always
 * fits and never blocks); a silent server (after {@link #SILENCE_NANOS} the connection is given up); a server that lost
 * its role (it still answers the sent commands, and the next connection may lead to another server). No command is ever
 * sent twice.
 *
 * <p>A thread of its own (the <em>pump</em>) reconnects after the connection broke, and leads when no caller may. It
 * starts when it is first needed and ends with {@link #close}.
 *
 * <p>Thread-safe. {@link #leading} and {@link #queued} form Dekker's algorithm: a caller queues, then checks whether
 * there is a leader; a leader stops leading, then checks whether a command is queued.
 */
final class Pipeline implements AutoCloseable {
    /** Fits in a send buffer with room to spare. */
    static final int MOST_IN_FLIGHT = 64 * 1024;

    /** 5 s: half a renewal period of the default lease, so that a renewal can be retried on another connection. */
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How many commands of one batch are queued at a time; this bounds the queue by the number of callers. */
    private static final int WINDOW = 256;

    /** Opens connections. */
    interface Connector {
        Wire connect() throws StoreFailure;
    }

    private final Queue<Call> queued = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean leading = new AtomicBoolean();
    private final Connector connector;
    private final String target;
    private final Pump pump;
    private volatile @Nullable Wire wire;
    private volatile boolean closed;
    private volatile boolean doubtful;

    /** Null if answers do not wait for replicas. */
    private final @Nullable Confirmation confirmation;

    // Only the leader uses these.
    private final Deque<Call> inFlight = new ArrayDeque<>();
    private final RespWriter writer = new RespWriter();
    private RespReader reader = new RespReader();
    private int bytesInFlight;
    private @Nullable String leaving;

    /**
     * Creates a pipeline on an open connection.
     *
     * @param wire the connection
     * @param connector opens the next connection
     * @param target the server, as messages show it
     * @param threadName name of the pump's thread
     */
    Pipeline(Wire wire, Connector connector, String target, String threadName) {
        this(wire, connector, target, threadName, 0);
    }

    /**
     * Creates a pipeline whose answers wait until replicas have the writes.
     *
     * @param replicas how many of them; 0 for a pipeline whose answers do not wait
     */
    Pipeline(Wire wire, Connector connector, String target, String threadName, int replicas) {
        this.confirmation = replicas > 0 ? new Confirmation(replicas, target, SILENCE_NANOS) : null;
        this.wire = wire;
        this.connector = connector;
        this.target = target;
        this.pump = new Pump(this::pump, threadName);
    }

    /** Returns the server, as messages show it. */
    String target() {
        return target;
    }

    /** Sends a command and waits for its answer, which may be a {@link RespReader.RespError}. */
    Call ask(Call.Encoder command, Deadline deadline) throws StoreFailure {
        Call call = new Call(command);
        queued.add(call);
        await(call, deadline);
        return call;
    }

    /**
     * Sends a command, and does not wait. The pump leads for it; the calling thread is woken when it is done, or when the
     * pipeline is closed.
     */
    Call begin(Call.Encoder command) {
        Call call = new Call(command, false);
        queued.add(call);
        passTheLeadOn();
        return call;
    }

    boolean isClosed() {
        return closed;
    }

    /** Sends many commands in as few pieces as the bounds allow, and waits for all answers. */
    List<Call> askAll(List<? extends Call.Encoder> commands, Deadline deadline) throws StoreFailure {
        List<Call> calls = new ArrayList<>(commands.size());
        int answered = 0;
        try {
            for (Call.Encoder command : commands) {
                if (calls.size() - answered >= WINDOW) {
                    await(calls.get(answered++), deadline);
                }
                Call call = new Call(command);
                calls.add(call);
                queued.add(call);
            }
            while (answered < calls.size()) {
                await(calls.get(answered++), deadline);
            }
            return calls;
        } finally {
            if (answered < calls.size()) {
                // After a failure, the commands that were not sent yet must stay unsent.
                calls.subList(answered, calls.size()).forEach(Call::abandon);
                passTheLeadOn();
            }
        }
    }

    /**
     * Checks the connection in the background, because another connection to the server broke: if this one broke too,
     * the pump replaces it, and the next caller does not have to wait for that.
     */
    void lookAfterTheConnection() {
        doubtful = true;
        pump.wake();
    }

    private void await(Call call, Deadline deadline) throws StoreFailure {
        boolean interrupted = false;
        try {
            while (!call.isDone()) {
                if (closed) {
                    giveUp(call, Reason.OTHER, "the client is closed");
                } else if (deadline.leftNanos() <= 0) {
                    giveUp(call, Reason.UNREACHABLE, "no answer from " + target + " in time");
                } else if (!leadIfNobodyDoes(call, deadline)) {
                    LockSupport.parkNanos(this, deadline.leftNanos());
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void giveUp(Call call, Reason reason, String why) throws StoreFailure {
        boolean neverSent = call.abandon();
        passTheLeadOn();
        if (!call.isDone()) {
            throw new StoreFailure(neverSent ? Effect.NONE : Effect.UNKNOWN, reason, why, null);
        }
    }

    /** Finds another leader: a caller that has just abandoned its call may have been asked to lead, and will not. */
    private void passTheLeadOn() {
        if (!leading.get()) {
            pump.wake();
        }
    }

    /** Returns whether the caller led, and so has to check its call again. */
    private boolean leadIfNobodyDoes(Call call, Deadline deadline) {
        if (leading.get()) {
            return false;
        }
        if (!call.mayLead() || wire == null) {
            pump.wake();
            return false;
        }
        if (!leading.compareAndSet(false, true)) {
            return false;
        }
        try {
            lead(call, deadline);
        } finally {
            resign();
        }
        return true;
    }

    // ---- leading --------------------------------------------------------------------------------------------------

    private void lead(Call own, Deadline deadline) {
        Wire open = wire;
        while (open != null && !own.isDone() && deadline.leftNanos() > 0) {
            turn(open, deadline);
            open = wire;
        }
    }

    /** Writes the queued commands, waits for bytes, and hands out the answers in them. */
    private void turn(Wire open, Deadline deadline) {
        try {
            Call oldest = inFlight.peek();
            if (oldest != null && oldest.patience().leftNanos() <= 0) {
                // It may have answered while no caller was reading. Queued commands wait for the next connection.
                if (!reader.fill(open, 1)) {
                    throw new IOException(
                            "the server has been silent for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
                }
                handOut(open);
            }
            send(open);
            if (!inFlight.isEmpty()) {
                long patience = inFlight.element().patience().leftNanos();
                if (reader.fill(open, Math.max(1, Math.min(deadline.leftNanos(), patience)))) {
                    handOut(open);
                }
            }
            if (leaving != null && inFlight.isEmpty()) {
                breakDown(open, new IOException(leaving));
            }
        } catch (IOException | RuntimeException broken) {
            breakDown(open, broken);
        } catch (Error fault) {
            // The failure hit somewhere between writing and sending: the next answer may belong to any caller.
            breakDown(open, fault);
            throw fault;
        }
    }

    private void send(Wire open) throws IOException {
        writer.truncate(0);
        Call next = queued.peek();
        if (next == null || leaving != null || isConfirming()) {
            return;
        }
        Deadline patience = Deadline.in(SILENCE_NANOS);
        while (next != null && bytesInFlight + writer.size() < MOST_IN_FLIGHT) {
            Call.Joint joint = next.joint();
            if (joint != null) {
                writeTogether(joint, open, patience);
            } else if (queued.remove().encode(writer, open, patience)) {
                inFlight.add(next);
            }
            next = queued.peek();
        }
        if (confirmation != null) {
            confirmation.demand(inFlight, writer, open, patience);
        }
        if (writer.size() > 0) {
            bytesInFlight += writer.size();
            open.send(writer.bytes(), writer.size());
        }
    }

    private boolean isConfirming() {
        return confirmation != null && confirmation.isUnderWay();
    }

    /** Writes adjacent commands of the queue as one, if they can travel together. */
    private void writeTogether(Call.Joint joint, Wire open, Deadline patience) {
        RespWriter parts = joint.begin();
        Call first = null;
        int count = 0;
        Call next = queued.peek();
        while (next != null
                && next.joint() == joint
                && count < joint.most()
                && bytesInFlight + writer.size() + joint.size() < MOST_IN_FLIGHT) {
            if (queued.remove().encode(parts, open, patience)) {
                inFlight.add(next);
                first = first == null ? next : first;
                count++;
            }
            next = queued.peek();
        }
        if (first != null) {
            int before = writer.size();
            joint.end(writer, open, count);
            first.speakFor(count, writer.size() - before - parts.size());
        }
    }

    private void handOut(Wire open) throws IOException {
        for (Object answer = reader.next(); answer != null; answer = reader.next()) {
            Call call = inFlight.poll();
            if (call == null) {
                throw new IOException("an answer that nobody asked for: " + answer);
            }
            if (call.together() == 1) {
                complete(call, answer, open);
            } else {
                handOutTogether(call, answer, open);
            }
        }
    }

    /** Hands out the answers to commands that travelled as one: each its own, or the common error to all. */
    private void handOutTogether(Call first, Object answer, Wire open) throws IOException {
        int count = first.together();
        List<?> answers = answer instanceof List<?> list
                ? list
                : answer instanceof RespReader.RespError ? Collections.nCopies(count, answer) : List.of();
        if (answers.size() != count) {
            inFlight.addFirst(first);
            throw new IOException("an answer to " + count + " commands that is none: " + answer);
        }
        complete(first, answers.get(0), open);
        for (Object each : answers.subList(1, count)) {
            complete(inFlight.remove(), each, open);
        }
    }

    private void complete(Call call, Object answer, Wire open) {
        bytesInFlight -= call.size();
        if (answer instanceof RespReader.RespError error && ServerErrors.endsConnection(error)) {
            leaving = error.message();
        }
        if (confirmation == null || !confirmation.takes(call, answer, open)) {
            call.complete(answer, open.runId());
        }
    }

    private void breakDown(Wire broken, Throwable why) {
        broken.close();
        wire = null;
        reader = new RespReader();
        bytesInFlight = 0;
        leaving = null;
        failSent(inFlight, why);
        if (confirmation != null) {
            failSent(confirmation.parked(), why);
            confirmation.reset();
        }
        inFlight.clear();
    }

    private void failSent(Collection<Call> sent, Throwable why) {
        String message = "the connection to " + target + " broke: " + describe(why);
        sent.forEach(call -> call.fail(Effect.UNKNOWN, Reason.UNREACHABLE, message, why));
    }

    private static String describe(Throwable why) {
        return why.getMessage() == null ? why.toString() : why.getMessage();
    }

    /** Hands the lead to a caller that waits for an answer, or for its command to be sent. */
    private void resign() {
        Call sent = firstSent();
        Call heir = sent != null && sent.mayLead() ? sent : null;
        boolean waited = sent != null;
        leading.set(false);
        if (closed) {
            endIfNobodyLeads();
            return;
        }
        if (heir == null) {
            heir = firstQueued();
            waited |= heir != null;
        }
        // It may have given up before the lead was free, and so has not found another leader.
        if (heir != null && heir.mayLead() && !heir.isAbandoned() && wire != null) {
            heir.wake();
        } else if (waited) {
            pump.wake();
        }
    }

    /** Returns a call whose answer a caller waits for, one that may lead if there is one. */
    private @Nullable Call firstSent() {
        Call parked = confirmation == null ? null : Call.first(confirmation.parked());
        if (parked != null && parked.mayLead()) {
            return parked;
        }
        Call sent = Call.first(inFlight);
        return sent == null ? parked : sent;
    }

    private @Nullable Call firstQueued() {
        return Call.first(queued);
    }

    // ---- the pump -------------------------------------------------------------------------------------------------

    /** Leads for callers that may not lead, and connects if there is no connection. */
    private void pump() {
        if (!leading.compareAndSet(false, true)) {
            return;
        }
        try {
            boolean doubted = doubtful;
            doubtful = false;
            Wire open = wire;
            if (open != null && doubted) {
                look(open);
            }
            if (wire == null && !closed && (doubted || firstQueued() != null)) {
                reconnect();
            }
            open = wire;
            while (open != null && !closed && isPumpNeeded()) {
                turn(open, Deadline.in(SILENCE_NANOS));
                open = wire;
            }
        } finally {
            resign();
        }
    }

    /** Checks whether a connection has ended. */
    private void look(Wire open) {
        try {
            if (reader.fill(open, 1)) {
                handOut(open);
            }
        } catch (IOException | RuntimeException broken) {
            breakDown(open, broken);
        }
    }

    /** Returns whether callers wait, and none of them may lead. */
    private boolean isPumpNeeded() {
        Call sent = firstSent();
        if (sent != null && sent.mayLead()) {
            return false;
        }
        Call first = firstQueued();
        return first != null ? !first.mayLead() : sent != null;
    }

    private void reconnect() {
        try {
            Wire fresh = connector.connect();
            wire = fresh;
            if (closed) {
                fresh.close();
            }
        } catch (StoreFailure failure) {
            failQueued(failure.reason(), failure);
        } catch (RuntimeException failure) {
            failQueued(Reason.OTHER, failure);
        }
    }

    private void failQueued(Reason reason, Exception failure) {
        for (Call call = queued.poll(); call != null; call = queued.poll()) {
            call.fail(Effect.NONE, reason, describe(failure), failure);
        }
    }

    /** Fails all waiting callers, and disconnects. */
    @Override
    public void close() {
        closed = true;
        Wire open = wire;
        if (open != null) {
            open.close();
        }
        endIfNobodyLeads();
        queued.forEach(Call::wake);
        pump.close();
    }

    /** Ends the connection if there is no leader, as no caller would notice. A leader gets here when it is done. */
    private void endIfNobodyLeads() {
        if (leading.compareAndSet(false, true)) {
            try {
                Wire open = wire;
                if (open != null) {
                    breakDown(open, new IOException("the client is closed"));
                }
            } finally {
                leading.set(false);
            }
        }
    }
}
