package dev.baton.memcached;

import dev.baton.spi.Deadline;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The order of the calls that share one connection: each sends when it comes, and reads its answers when all before it
 * have read theirs. A call that leaves before its answers have come leaves them to be dropped by the next one.
 * Thread-safe.
 */
final class Turns {
    /** Sends the commands of a call. */
    interface Sending {
        void run(boolean alone) throws IOException;
    }

    /** One call that has sent its commands. */
    final class Turn {
        private final Condition changed = lock.newCondition();

        private final boolean alone;

        /** How many answers it has not read. */
        private int answers;

        private boolean left;

        private Turn(int answers, boolean alone) {
            this.answers = answers;
            this.alone = alone;
        }

        /** Returns whether no other call waited for answers when it was sent. */
        boolean wasAlone() {
            return alone;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their commands; the first one reads. */
    private final Deque<Turn> turns = new ArrayDeque<>();

    /** How many answers nobody waits for come before those of the first turn. */
    private int unwanted;

    private boolean over;

    /** Sends commands; the lock keeps their order that of the turns. A write does not block, see {@link Wire}. */
    Turn take(int answers, Sending sending) throws IOException {
        lock.lock();
        try {
            requireOpen();
            Turn turn = new Turn(answers, turns.isEmpty());
            sending.run(turn.alone);
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

    /** Returns whether no call waits for answers. */
    boolean isFree() {
        lock.lock();
        try {
            return turns.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether there are answers that nobody waits for. */
    boolean hasUnwanted() {
        lock.lock();
        try {
            return unwanted > 0 || turns.stream().anyMatch(turn -> turn.left);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns when a turn is the first. Not interruptible, like every call.
     *
     * @return how many answers it is to drop before its own
     */
    int await(Turn turn, Deadline deadline) throws IOException {
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
            return unwanted;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Notes that the first turn has dropped an answer. */
    void dropped() {
        lock.lock();
        try {
            unwanted--;
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
            unwanted += first.answers;
            turns.removeFirst();
            first = turns.peekFirst();
        }
        if (first != null) {
            first.changed.signal();
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
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }
}
