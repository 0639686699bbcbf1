package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The order of the calls that share one connection: each sends when it comes, and reads its answers when all before it
 * have read theirs. A call that leaves before its answers have come leaves them to be dropped by the next one.
 * Thread-safe.
 */
final class Turns {
    /** The form of an answer, which tells where it ends. */
    enum Answer {
        /** A line, and the value that it announces. */
        REPLY,
        /** Lines up to the line END. */
        LINES
    }

    /** Sends commands. */
    interface Sending {
        /**
         * Sends as many commands as there is room for.
         *
         * @param inTransit how many bytes of commands of this connection have no answer
         */
        Sent run(int inTransit) throws IOException;
    }

    /** How many commands were sent, and how long they are. */
    record Sent(int commands, int bytes) {}

    /** A call that has sent commands. */
    final class Turn {
        private final Condition changed = lock.newCondition();
        private final Answer form;
        private final int bytes;
        private final boolean alone;

        /** How many answers it has not read. */
        private int answers;

        private boolean left;

        private Turn(Answer form, Sent sent, boolean alone) {
            this.form = form;
            this.bytes = sent.bytes;
            this.answers = sent.commands;
            this.alone = alone;
        }

        /** Returns whether no other call waited for answers when it was sent. */
        boolean wasAlone() {
            return alone;
        }

        /** Returns whether the call has read all its answers. */
        boolean isOver() {
            return answers == 0;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their commands; the first one reads. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    /** The answers that nobody waits for; they come before those of the first turn. */
    private final Deque<Answer> unwanted = new ArrayDeque<>();

    private int inTransit;

    // Written under the lock, and read without it.

    private volatile boolean hasLeft;
    private volatile boolean over;

    /**
     * Sends commands, under the lock, so that turns are in the order of their commands. A write does not block, because
     * little is in transit.
     */
    Turn take(Answer form, Sending sending) throws IOException {
        lock.lock();
        try {
            requireOpen();
            boolean alone = turns.isEmpty();
            Turn turn = new Turn(form, sending.run(inTransit), alone);
            inTransit += turn.bytes;
            turns.add(turn);
            return turn;
        } finally {
            lock.unlock();
        }
    }

    private void requireOpen() throws IOException {
        if (over) {
            throw new IOException("the connection broke");
        }
    }

    /** Returns whether a call has left, and its answers have not been dropped yet. */
    boolean hasUnwanted() {
        return hasLeft;
    }

    /** Returns when a turn is the first. Not interruptible, like every call. */
    void await(Turn turn, Deadline deadline) throws IOException {
        boolean interrupted = false;
        lock.lock();
        try {
            while (turns.peekFirst() != turn) {
                requireOpen();
                try {
                    if (turn.changed.awaitNanos(deadline.leftNanos()) <= 0 && turns.peekFirst() != turn) {
                        requireOpen();
                        throw new SocketTimeoutException("no answer in time");
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            requireOpen();
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the next answer that the first turn is to drop before its own; null if there is none. */
    @Nullable
    Answer nextUnwanted() {
        if (!hasLeft) {
            return null;
        }
        lock.lock();
        try {
            return unwanted.peekFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the first turn has dropped an answer. */
    void dropped() {
        lock.lock();
        try {
            unwanted.removeFirst();
            look();
        } finally {
            lock.unlock();
        }
    }

    /** Notes that the first turn has read one of its answers. */
    void read(Turn turn) {
        turn.answers--;
    }

    /** Ends the first turn. */
    void pass(Turn turn) {
        lock.lock();
        try {
            turn.left = true;
            advance();
        } finally {
            lock.unlock();
        }
    }

    /** Ends a turn whose time is over; returns false if nobody else waits for answers, so that its own would stay unread. */
    boolean leave(Turn turn) {
        lock.lock();
        try {
            turn.left = true;
            if (turns.stream().allMatch(each -> each.left)) {
                return false;
            }
            advance();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void advance() {
        Turn first = turns.peekFirst();
        while (first != null && first.left) {
            for (int i = 0; i < first.answers; i++) {
                unwanted.add(first.form);
            }
            turns.removeFirst();
            first = turns.peekFirst();
        }
        if (first != null) {
            first.changed.signal();
        }
        look();
    }

    /** Of commands whose answers are unwanted, the bytes count until the last of these answers has been dropped. */
    private void look() {
        boolean someLeft = !unwanted.isEmpty();
        int bytes = 0;
        for (Turn turn : turns) {
            someLeft |= turn.left;
            bytes += turn.bytes;
        }
        hasLeft = someLeft;
        if (unwanted.isEmpty()) {
            inTransit = bytes;
        }
    }

    /** From now on no call gets an answer. */
    void end() {
        lock.lock();
        try {
            over = true;
            turns.forEach(turn -> turn.changed.signal());
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the order has ended. */
    boolean isEnded() {
        return over;
    }
}
