package dev.baton.chaos.zoo;

import dev.baton.chaos.lock.NameKind;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import java.time.Duration;
import java.util.List;

/**
 * What happens between Baton's engine and its store on Redis. All steps but one are as the store takes them.
 *
 * @param answers what the engine is told of deadlines
 * @param repeats what happens to requests after a reconnect
 * @param numbers which tokens the engine sees
 * @param pushes what the engine is told of pushes
 * @param ends how long the store keeps a hold without renewals
 * @param silence what the engine is told of requests without an answer
 * @param notes who writes notes
 * @param kind for which names its animals are hunted
 * @param lease the lease time of hunts
 */
record BatonDesign(
        Answers answers,
        Repeats repeats,
        Numbers numbers,
        Pushes pushes,
        Ends ends,
        Silence silence,
        Notes notes,
        NameKind kind,
        Duration lease)
        implements Design {
    static final String PREFIX = "baton:";

    private static final long DAY_MICROS = Duration.ofDays(1).toNanos() / 1_000;

    /** Baton as it is. */
    static final BatonDesign SOUND = new BatonDesign(
            Answers.FROM_SENDING,
            Repeats.NEVER,
            Numbers.OF_THE_STORE,
            Pushes.CHECKED,
            Ends.WITH_THE_LEASE,
            Silence.TELLS_NOTHING,
            Notes.OF_THE_HOLDER,
            NameKind.LOCK,
            Duration.ofMillis(500));

    /** From when the engine, which counts from the sending of a request, believes in a hold. */
    enum Answers {
        FROM_SENDING {
            @Override
            long later(long elapsedMicros) {
                return 0;
            }
        },
        /** The deadline is later by as much as the answer was on its way. */
        FROM_ARRIVAL {
            @Override
            long later(long elapsedMicros) {
                return elapsedMicros;
            }
        },
        /** The deadline is never reached. */
        FOR_EVER {
            @Override
            long later(long elapsedMicros) {
                return DAY_MICROS;
            }
        };

        abstract long later(long elapsedMicros);

        final Acquire.Reply moved(Acquire.Reply reply, long elapsedMicros) {
            return reply instanceof Acquire.Granted granted
                    ? new Acquire.Granted(
                            granted.stamp(), granted.token(), granted.deadlineMicros() + later(elapsedMicros))
                    : reply;
        }

        final Heartbeat.HoldReply moved(Heartbeat.HoldReply reply, long elapsedMicros) {
            return reply instanceof Heartbeat.Renewed renewed
                    ? new Heartbeat.Renewed(renewed.deadlineMicros() + later(elapsedMicros), renewed.contended())
                    : reply;
        }

        final Heartbeat.TicketReply moved(Heartbeat.TicketReply reply, long elapsedMicros) {
            return reply instanceof Heartbeat.TicketGranted granted
                    ? new Heartbeat.TicketGranted(granted.token(), granted.deadlineMicros() + later(elapsedMicros))
                    : reply;
        }
    }

    /** Whether the last requests are sent again after a reconnect. */
    enum Repeats {
        NEVER,
        /** They are, and the store's marks show that they are over. */
        WITH_MARKS,
        /** They are, and the store has no marks of them. */
        WITHOUT_MARKS
    }

    /** Which tokens the engine sees. */
    enum Numbers {
        OF_THE_STORE,
        /** The store's tokens less those of the time before the server started. */
        FROM_SERVER_START
    }

    /** What the engine is told of pushes. */
    enum Pushes {
        /** What came. */
        CHECKED {
            @Override
            Push told(Push push, Synced last) {
                return push;
            }
        },
        /** That the grant is new, and comes from the server of the last answer. */
        BELIEVED {
            @Override
            Push told(Push push, Synced last) {
                long now = last.nowMicros();
                return new Push(
                        push.name(),
                        push.attempt(),
                        push.token(),
                        now + push.deadlineMicros() - push.nowMicros(),
                        now,
                        last.runId(),
                        push.secret());
            }
        };

        abstract Push told(Push push, Synced last);
    }

    /** How long the store keeps a hold without renewals. */
    enum Ends {
        WITH_THE_LEASE {
            @Override
            long kept(long leaseMicros) {
                return leaseMicros;
            }
        },
        NEVER {
            @Override
            long kept(long leaseMicros) {
                return DAY_MICROS;
            }
        };

        /** Returns the lease time that the store gets to know. */
        abstract long kept(long leaseMicros);
    }

    /** What the engine is told of requests without an answer. */
    enum Silence {
        TELLS_NOTHING,
        /** That the store granted, or renewed. */
        GIVES_CONSENT
    }

    /** Who writes the notes of names. */
    enum Notes {
        /** The present holder, in one step with the check that it holds. */
        OF_THE_HOLDER,
        /** Each client that asks: its engine has checked before that it holds. */
        OF_EACH_CLIENT
    }

    BatonDesign with(Answers other) {
        return new BatonDesign(other, repeats, numbers, pushes, ends, silence, notes, kind, lease);
    }

    BatonDesign with(Repeats other) {
        return new BatonDesign(answers, other, numbers, pushes, ends, silence, notes, kind, lease);
    }

    BatonDesign with(Numbers other) {
        return new BatonDesign(answers, repeats, other, pushes, ends, silence, notes, kind, lease);
    }

    BatonDesign with(Pushes other) {
        return new BatonDesign(answers, repeats, numbers, other, ends, silence, notes, kind, lease);
    }

    BatonDesign with(Ends other) {
        return new BatonDesign(answers, repeats, numbers, pushes, other, silence, notes, kind, lease);
    }

    BatonDesign with(Silence other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, other, notes, kind, lease);
    }

    BatonDesign with(Notes other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, other, kind, lease);
    }

    BatonDesign with(NameKind other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, notes, other, lease);
    }

    BatonDesign with(Duration other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, notes, kind, other);
    }

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public List<NameKind> kinds() {
        return List.of(kind);
    }
}
