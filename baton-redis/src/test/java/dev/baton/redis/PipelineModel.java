package dev.baton.redis;

import dev.baton.spi.Deadline;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.StoreFailure.Effect;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * A world around a pipeline in which every interleaving can be tried. Time passes when a test says so. A parked thread
 * wakes only when it is woken or its time is over (a checker that lets threads wake for no reason finds no lost
 * wake-up). Threads are virtual when they say so. {@link PipelineVariant} puts this world around the sources of main.
 */
final class PipelineModel {
    private static final int ANSWER = ":0\r\n".length();

    private static final AtomicLong now = new AtomicLong();
    private static Map<Thread, AtomicBoolean> permits = new ConcurrentHashMap<>();
    private static Set<Thread> virtual = ConcurrentHashMap.newKeySet();

    private static final AtomicReference<Runnable> pumpTask = new AtomicReference<>();
    private static final AtomicBoolean pumping = new AtomicBoolean();
    private static final ThreadLocal<Thread> LENT = new ThreadLocal<>();
    private static final Thread PUMP = new Thread("pump");

    private PipelineModel() {}

    private static void reset() {
        now.set(0);
        pumpTask.set(null);
        pumping.set(false);
        permits = new ConcurrentHashMap<>();
        virtual = ConcurrentHashMap.newKeySet();
    }

    static long now() {
        return now.get();
    }

    static boolean isVirtual(Thread thread) {
        return virtual.contains(thread);
    }

    /** Notes that the pump has work: the next thread that parks, or is parked, does it. */
    static void wakePump(Runnable task) {
        pumpTask.set(task);
    }

    private static void lendToPump() {
        if (pumpTask.get() != null && pumping.compareAndSet(false, true)) {
            Runnable task = pumpTask.getAndSet(null);
            if (task != null) {
                LENT.set(PUMP);
                task.run();
                LENT.remove();
            }
            pumping.set(false);
        }
    }

    /** Returns the thread that the pipeline takes for the running one. */
    static Thread currentThread() {
        Thread lent = LENT.get();
        return lent == null ? Thread.currentThread() : lent;
    }

    /** Replaces the JDK's class. */
    static final class LockSupport {
        private LockSupport() {}

        private static AtomicBoolean permit(Thread thread) {
            return permits.computeIfAbsent(thread, any -> new AtomicBoolean());
        }

        static void park(Object blocker) {
            parkNanos(blocker, Long.MAX_VALUE);
        }

        static void parkNanos(Object blocker, long nanos) {
            AtomicBoolean permit = permit(Thread.currentThread());
            long end = nanos == Long.MAX_VALUE ? nanos : now.get() + nanos;
            while (!permit.getAndSet(false) && now.get() < end) {
                lendToPump();
            }
        }

        static void unpark(Thread thread) {
            permit(thread).set(true);
        }
    }

    /** A server that echoes each number, in pieces of this length: a number, or the head of a list. */
    static final class EchoWire implements Wire {
        private final Queue<Integer> received = new ConcurrentLinkedQueue<>();
        private final Queue<byte[]> unread = new ConcurrentLinkedQueue<>();
        private volatile boolean closed;

        @Override
        public void send(byte[] bytes, int length) throws EOFException {
            requireOpen();
            for (int at = 0; at < length; at += ANSWER) {
                if (bytes[at] == ':') {
                    received.add(bytes[at + 1] - '0');
                }
                unread.add(Arrays.copyOfRange(bytes, at, at + ANSWER));
            }
        }

        private void requireOpen() throws EOFException {
            if (closed) {
                throw new EOFException("closed");
            }
        }

        @Override
        public int receive(byte[] into, int offset, int length, long nanos) throws EOFException {
            requireOpen();
            byte[] answer = unread.poll();
            if (answer == null) {
                return 0;
            }
            System.arraycopy(answer, 0, into, offset, ANSWER);
            return ANSWER;
        }

        @Override
        public String runId() {
            return "echo";
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** Creates users of a new pipeline in a new world. */
    static final class Maker implements Supplier<PipelineUsers> {
        @Override
        public PipelineUsers get() {
            reset();
            return new Users();
        }
    }

    private static final class Users implements PipelineUsers {
        private final AtomicInteger digits = new AtomicInteger();
        private final Set<EchoWire> wires = ConcurrentHashMap.newKeySet();
        private final Set<Integer> unsent = ConcurrentHashMap.newKeySet();
        private volatile EchoWire wire = connect();
        private final Pipeline pipeline = new Pipeline(wire, this::connect, "echo", "lincheck");

        private final JointCommand list =
                new JointCommand(2, (out, parts, count) -> (count == 1 ? out : out.command(count)).part(parts));

        private EchoWire connect() {
            EchoWire fresh = new EchoWire();
            wires.add(fresh);
            wire = fresh;
            return fresh;
        }

        /** Creates a number; several that are sent at once travel as a list. */
        private Call.Encoder command(int digit) {
            return list.part(out -> out.raw(new byte[] {':', (byte) ('0' + digit), '\r', '\n'}));
        }

        @Override
        public void askVirtually(int count, long time) {
            virtual.add(Thread.currentThread());
            ask(count, time);
        }

        @Override
        public void ask(int count, long time) {
            int first = digits.getAndAdd(count);
            List<Call.Encoder> commands = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                commands.add(command(first + i));
            }
            try {
                List<Call> calls = count == 1
                        ? List.of(pipeline.ask(commands.get(0), Deadline.in(time)))
                        : pipeline.askAll(commands, Deadline.in(time));
                for (int i = 0; i < count; i++) {
                    Object answer = calls.get(i).answer();
                    if (!answer.equals((long) first + i)) {
                        throw new IllegalStateException("asked for " + (first + i) + ", got " + answer);
                    }
                }
            } catch (StoreFailure failure) {
                if (failure.effect() == Effect.NONE && count == 1) {
                    unsent.add(first);
                }
            }
        }

        @Override
        public void tick() {
            now.incrementAndGet();
        }

        @Override
        public void cut() {
            wire.close();
        }

        @Override
        public void close() {
            pipeline.close();
        }

        @Override
        public void check() {
            Set<Integer> sent = ConcurrentHashMap.newKeySet();
            for (EchoWire each : wires) {
                for (int digit : each.received) {
                    if (!sent.add(digit)) {
                        throw new IllegalStateException(digit + " was sent twice");
                    }
                    if (unsent.contains(digit)) {
                        throw new IllegalStateException(digit + " was sent, and reported as never sent");
                    }
                }
            }
        }
    }
}
