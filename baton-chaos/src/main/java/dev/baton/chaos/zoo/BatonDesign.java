package dev.baton.chaos.zoo;

import dev.baton.Job;
import dev.baton.chaos.history.HostTime;
import dev.baton.chaos.lock.NameKind;
import dev.baton.spi.Acquire;
import dev.baton.spi.Heartbeat;
import dev.baton.spi.Push;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

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
 * @param records how the record of a job's runs is kept
 * @param outages how the jobs of a client go on after an outage
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
        Records records,
        Outages outages,
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
            Records.AS_WRITTEN,
            Outages.DELAY_A_RUN,
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
        },
        /** The deadline is never reached, and a hold that is over counts as renewed. */
        NEVER_OVER {
            @Override
            long later(long elapsedMicros) {
                return DAY_MICROS;
            }

            @Override
            boolean extendsAlways() {
                return true;
            }

            @Override
            Heartbeat.HoldReply heard(Heartbeat.HoldReply reply, long nowMicros) {
                return reply instanceof Heartbeat.Lost ? new Heartbeat.Renewed(nowMicros, false) : reply;
            }
        };

        abstract long later(long elapsedMicros);

        /** Whether each heartbeat extends holds: the engine does not ask for that if deadlines are far away. */
        boolean extendsAlways() {
            return false;
        }

        /** Returns what the engine hears of a hold. */
        Heartbeat.HoldReply heard(Heartbeat.HoldReply reply, long nowMicros) {
            return reply;
        }

        final Acquire.Reply moved(Acquire.Reply reply, long elapsedMicros) {
            return reply instanceof Acquire.Granted granted
                    ? new Acquire.Granted(
                            granted.stamp(), granted.token(), granted.deadlineMicros() + later(elapsedMicros))
                    : reply;
        }

        final Heartbeat.HoldReply moved(Heartbeat.HoldReply reply, long nowMicros, long elapsedMicros) {
            return heard(reply, nowMicros) instanceof Heartbeat.Renewed renewed
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

    /** How the record of a job's runs is kept. */
    enum Records {
        /** As the runner writes it. */
        AS_WRITTEN,
        /** The beginning of a run is recorded as its success. */
        DONE_WHEN_IT_BEGINS {
            @Override
            String written(String run, long aheadMillis) {
                return run.replace(" - " + Job.State.RUNNING, " 0 " + Job.State.SUCCEEDED);
            }
        },
        /** Fire times are written by the clock of the runner, and read by that of the reader, to whom later ones are none. */
        BY_THE_CLIENTS_CLOCK {
            @Override
            String written(String run, long aheadMillis) {
                return (fireTime(run) + aheadMillis) + afterFireTime(run);
            }

            @Override
            String read(String run, long aheadMillis) {
                long fireTime = fireTime(run) - aheadMillis;
                return fireTime > TimeUnit.NANOSECONDS.toMillis(HostTime.nanos()) ? "" : fireTime + afterFireTime(run);
            }
        };

        private static long fireTime(String run) {
            return Long.parseLong(run.substring(0, run.indexOf(' ')));
        }

        private static String afterFireTime(String run) {
            return run.substring(run.indexOf(' '));
        }

        /**
         * Returns the line of a run that goes to the store.
         *
         * @param aheadMillis how far the client's clock is ahead
         */
        String written(String run, long aheadMillis) {
            return run;
        }

        /** Returns the line of a run that comes from the store; an empty one if it does not count. */
        String read(String run, long aheadMillis) {
            return run;
        }
    }

    /** How the jobs of a client go on after an outage. */
    enum Outages {
        /** A job that got no answer runs at its next time. */
        DELAY_A_RUN,
        /** A job that got no answer never runs again. */
        END_THE_SCHEDULE
    }

    BatonDesign with(Answers other) {
        return new BatonDesign(other, repeats, numbers, pushes, ends, silence, notes, records, outages, kind, lease);
    }

    BatonDesign with(Repeats other) {
        return new BatonDesign(answers, other, numbers, pushes, ends, silence, notes, records, outages, kind, lease);
    }

    BatonDesign with(Numbers other) {
        return new BatonDesign(answers, repeats, other, pushes, ends, silence, notes, records, outages, kind, lease);
    }

    BatonDesign with(Pushes other) {
        return new BatonDesign(answers, repeats, numbers, other, ends, silence, notes, records, outages, kind, lease);
    }

    BatonDesign with(Ends other) {
        return new BatonDesign(answers, repeats, numbers, pushes, other, silence, notes, records, outages, kind, lease);
    }

    BatonDesign with(Silence other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, other, notes, records, outages, kind, lease);
    }

    BatonDesign with(Notes other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, other, records, outages, kind, lease);
    }

    BatonDesign with(Records other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, notes, other, outages, kind, lease);
    }

    BatonDesign with(Outages other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, notes, records, other, kind, lease);
    }

    BatonDesign with(NameKind other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, notes, records, outages, other, lease);
    }

    BatonDesign with(Duration other) {
        return new BatonDesign(answers, repeats, numbers, pushes, ends, silence, notes, records, outages, kind, other);
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
