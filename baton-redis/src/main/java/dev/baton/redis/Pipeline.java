package dev.baton.redis;

import dev.baton.internal.store.Distance;
import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import dev.baton.spi.StoreFailure.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A combining pipeline: all threads of a client share one connection. A caller queues its command. If no other caller
 * leads, it becomes the leader: it writes every queued command in one piece, reads answers, and hands the lead to
 * another caller when its own answer has arrived or its time is over. A single thread pays no hop between threads; many
 * threads share each write and each read. If the server is {@link Distance far}, callers do not wait until the leader writes
 * again, but write beside it. The idea is flat combining (Hendler, Incze, Shavit, Tzafrir, SPAA 2010).
 *
 * <p>The pipeline survives: a leader whose time is over (a {@link RespReader} reads the answers and keeps its place,
 * and the leader's own answer is dropped when it arrives); interrupts (noted, and set again on return; a virtual thread
 * never leads, because the JDK closes the socket under an interrupted one); an error in place of an answer (it is an
 * answer); a full send buffer (more than {@value Outbound#MOST_IN_FLIGHT} unanswered bytes are not sent, so that a write always
 * fits and never blocks); a silent server (after {@link #SILENCE_NANOS} the connection is given up); a server that lost
 * its role (it still answers the sent commands, and the next connection may lead to another server). No command is ever
 * sent twice.
 *
 * <p>A thread of its own (the <em>pump</em>) reconnects after the connection broke, and leads when no caller may. It
 * starts when it is first needed and ends with {@link #close}.
 *
 * <p>Thread-safe. {@link #leading} and the queue form Dekker's algorithm: a caller queues, then checks whether there is
 * a leader; a leader stops leading, then checks whether a command is queued. Who writes beside the leader does both.
 */
final class Pipeline implements AutoCloseable {
    /** 5 s: half a renewal period of the default lease, so that a renewal can be retried on another connection. */
    static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** How many commands of one batch are queued at a time; this bounds the queue by the number of callers. */
    private static final int WINDOW = 256;

    /** 1 ms: how long a leader without sent commands waits for the thread that sends some. */
    private static final long BESIDE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Opens connections. */
    interface Connector {
        Wire connect() throws StoreFailure;
    }

    private final AtomicBoolean leading = new AtomicBoolean();
    private final Connector connector;
    private final String target;
    private final Pump pump;
    private final Outbound out;
    private volatile Distance distance = new Distance();
    private volatile boolean closed;
    private volatile boolean doubtful;

    /** Null if answers do not wait for replicas. */
    private final @Nullable Confirmation confirmation;

    // Only the leader uses these.
    private RespReader reader = new RespReader();
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
        this.out = new Outbound(wire, confirmation, SILENCE_NANOS);
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
        out.queue(call);
        await(call, deadline);
        return call;
    }

    /**
     * Sends a command, and does not wait. The pump leads for it; the calling thread is woken when it is done, or when the
     * pipeline is closed.
     */
    Call begin(Call.Encoder command) {
        Call call = new Call(command, false);
        out.queue(call);
        sendBesideTheLeader();
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
                out.queue(call);
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
                } else if (!leadIfNobodyDoes(call, deadline) && !isLeadFreeAfterSending(call)) {
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
        if (!call.mayLead() || out.wire() == null) {
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

    private boolean isLeadFreeAfterSending(Call call) {
        return sendBesideTheLeader() && call.mayLead() && !leading.get();
    }

    /**
     * Sends the queue while the leader waits for answers of a server that is far away: otherwise it would be sent only
     * when one of them comes. On a near server the next answer is soon there, and takes the queue along in one piece.
     *
     * @return whether there was something to send
     */
    private boolean sendBesideTheLeader() {
        Wire open = out.wire();
        if (open == null || confirmation != null || !distance.isFar() || !out.hasQueued()) {
            return false;
        }
        try {
            out.sendBeside(open);
        } finally {
            // A leader that has left meanwhile found these calls neither queued nor sent.
            if (!leading.get()) {
                handOn(null);
            }
        }
        return true;
    }

    // ---- leading --------------------------------------------------------------------------------------------------

    private void lead(Call own, Deadline deadline) {
        Wire open = out.wire();
        while (open != null && !own.isDone() && deadline.leftNanos() > 0) {
            turn(open, deadline);
            open = out.wire();
        }
    }

    /** Writes the queued commands, waits for bytes, and hands out the answers in them. */
    private void turn(Wire open, Deadline deadline) {
        try {
            Call oldest = out.oldest();
            if (oldest != null && oldest.patience().leftNanos() <= 0) {
                // It may have answered while no caller was reading. Queued commands wait for the next connection.
                if (!reader.fill(open, 1)) {
                    throw new IOException(
                            "the server has been silent for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s");
                }
                handOut(open);
            }
            out.send(open);
            receive(open, deadline);
            if (leaving != null && out.oldest() == null) {
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

    private void receive(Wire open, Deadline deadline) throws IOException {
        Call oldest = out.oldest();
        if (oldest == null && !out.isSending()) {
            return;
        }
        long patience = oldest == null ? BESIDE_NANOS : oldest.patience().leftNanos();
        if (!reader.fill(open, Math.max(1, Math.min(deadline.leftNanos(), patience)))) {
            return;
        }
        if (oldest != null && distance.mayBeFar()) {
            distance.measured(SILENCE_NANOS - oldest.patience().leftNanos());
        }
        handOut(open);
    }

    private void handOut(Wire open) throws IOException {
        for (Object answer = reader.next(); answer != null; answer = reader.next()) {
            Call call = out.answered();
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
            IOException why = new IOException("an answer to " + count + " commands that is none: " + answer);
            cutOff(first, why);
            throw why;
        }
        complete(first, answers.get(0), open);
        for (Object each : answers.subList(1, count)) {
            complete(Objects.requireNonNull(out.answered(), "each part was sent"), each, open);
        }
    }

    private void complete(Call call, Object answer, Wire open) {
        if (answer instanceof RespReader.RespError error && ServerErrors.endsConnection(error)) {
            leaving = error.message();
            out.hold();
        }
        if (confirmation == null || !confirmation.takes(call, answer, open)) {
            call.complete(answer, open.runId());
        }
    }

    private void breakDown(Wire broken, Throwable why) {
        out.breakDown(broken, why, this::cutOff);
        reader = new RespReader();
        leaving = null;
        if (confirmation != null) {
            confirmation.parked().forEach(call -> cutOff(call, why));
            confirmation.reset();
        }
    }

    private void cutOff(Call call, Throwable why) {
        String message = "the connection to " + target + " broke: " + describe(why);
        call.fail(Effect.UNKNOWN, Reason.UNREACHABLE, message, why);
    }

    private static String describe(Throwable why) {
        return why.getMessage() == null ? why.toString() : why.getMessage();
    }

    /** Stops leading, and finds another leader if one is needed. */
    private void resign() {
        Call parked = firstParked();
        leading.set(false);
        if (closed) {
            endIfNobodyLeads();
            return;
        }
        handOn(parked);
    }

    /**
     * Finds a leader, when there is none, among the callers that wait for an answer, or for their command to be sent.
     *
     * @param parked a call that waits for replicas
     */
    private void handOn(@Nullable Call parked) {
        Call sent = firstAnswerable(parked);
        Call heir = sent != null && sent.mayLead() ? sent : null;
        boolean waited = sent != null;
        if (heir == null) {
            heir = out.firstQueued();
            waited |= heir != null;
        }
        // It may have given up before the lead was free, and so has not found another leader.
        if (heir != null && heir.mayLead() && !heir.isAbandoned() && out.wire() != null) {
            heir.wake();
        } else if (waited) {
            pump.wake();
        }
    }

    private @Nullable Call firstParked() {
        return confirmation == null ? null : Call.first(confirmation.parked());
    }

    /** Returns a call whose answer a caller waits for, one that may lead if there is one. */
    private @Nullable Call firstAnswerable(@Nullable Call parked) {
        if (parked != null && parked.mayLead()) {
            return parked;
        }
        Call sent = out.firstSent();
        return sent == null ? parked : sent;
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
            Wire open = out.wire();
            if (open != null && doubted) {
                look(open);
            }
            if (out.wire() == null && !closed && (doubted || out.firstQueued() != null)) {
                reconnect();
            }
            open = out.wire();
            while (open != null && !closed && isPumpNeeded()) {
                turn(open, Deadline.in(SILENCE_NANOS));
                open = out.wire();
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
        Call sent = firstAnswerable(firstParked());
        if (sent != null && sent.mayLead()) {
            return false;
        }
        Call first = out.firstQueued();
        return first != null ? !first.mayLead() : sent != null;
    }

    private void reconnect() {
        try {
            Wire fresh = connector.connect();
            distance = new Distance();
            out.connected(fresh);
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
        for (Call call = out.unqueue(); call != null; call = out.unqueue()) {
            call.fail(Effect.NONE, reason, describe(failure), failure);
        }
    }

    /** Fails all waiting callers, and disconnects. */
    @Override
    public void close() {
        closed = true;
        Wire open = out.wire();
        if (open != null) {
            open.close();
        }
        endIfNobodyLeads();
        out.forEachQueued(Call::wake);
        pump.close();
    }

    /** Ends the connection if there is no leader, as no caller would notice. A leader gets here when it is done. */
    private void endIfNobodyLeads() {
        if (leading.compareAndSet(false, true)) {
            try {
                Wire open = out.wire();
                if (open != null) {
                    breakDown(open, new IOException("the client is closed"));
                }
            } finally {
                leading.set(false);
            }
        }
    }
}
