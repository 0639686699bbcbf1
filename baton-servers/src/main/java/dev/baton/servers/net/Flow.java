package dev.baton.servers.net;

import java.time.Duration;

/**
 * How a proxy treats bytes on their way. Immutable.
 *
 * @param mode which bytes pass
 * @param delay how long each chunk is on its way
 * @param most how many bytes are written at once; 0 means no limit
 */
record Flow(Mode mode, Duration delay, int most) {
    /** Everything passes at once. */
    static final Flow FREE = new Flow(Mode.FORWARD, Duration.ZERO, 0);

    /** Which bytes pass. */
    enum Mode {
        FORWARD,
        BLACK_HOLE,
        HOLD_REQUESTS,
        HOLD_REPLIES,
        DISCARD_REPLIES
    }

    /** From which side the bytes come. */
    enum Direction {
        REQUESTS,
        REPLIES
    }

    Flow with(Mode next) {
        return new Flow(next, delay, most);
    }

    boolean holds(Direction direction) {
        return mode == Mode.BLACK_HOLE
                || (mode == Mode.HOLD_REQUESTS && direction == Direction.REQUESTS)
                || (mode == Mode.HOLD_REPLIES && direction == Direction.REPLIES);
    }

    /** Whether bytes that arrive now are held back, dropped, delayed or cut into pieces. */
    boolean disturbs(Direction direction) {
        return holds(direction) || discards(direction) || !delay.isZero() || most > 0;
    }

    boolean discards(Direction direction) {
        return mode == Mode.DISCARD_REPLIES && direction == Direction.REPLIES;
    }
}
