package dev.baton.chaos.check;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Happened;
import dev.baton.chaos.fault.Stage;
import java.time.Duration;
import java.util.SplittableRandom;

/** A fault of a server that checkers may have to excuse. */
record Damaging(Damage damage, Duration aftermath) implements Fault {
    Damaging(Damage damage) {
        this(damage, Duration.ZERO);
    }

    @Override
    public String id() {
        return "damaging";
    }

    @Override
    public Scope scope() {
        return Scope.SERVER;
    }

    @Override
    public Effects happen(Stage stage, SplittableRandom random) {
        return new Effects("nowhere", 1);
    }

    /** Returns one that happened between two times, in nanoseconds. */
    static Happened between(Damage damage, long began, long ended) {
        return new Happened(new Damaging(damage), "nowhere", began, ended, 1);
    }
}
