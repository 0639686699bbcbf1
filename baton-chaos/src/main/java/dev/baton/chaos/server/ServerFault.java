package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import java.util.SplittableRandom;

/**
 * A fault of one kind of server.
 *
 * @param id its name
 * @param damage what it breaks
 * @param course what happens
 */
record ServerFault(String id, Damage damage, Course course) implements Fault {
    /** What happens. Returns how often it had an effect. */
    interface Course {
        /** Runs it, and undoes it. */
        long run(Stage stage, SplittableRandom random) throws Exception;
    }

    /** A step at a server. */
    interface Step {
        /** Takes it. */
        void take() throws Exception;
    }

    /** The server is stopped for a while, and goes on. */
    static Fault pause(Step pause, Step resume) {
        return new ServerFault("server-pause", Damage.NONE, (stage, random) -> {
            pause.take();
            try {
                HostTime.sleep(stage.leases(0.2, 2, random));
            } finally {
                resume.take();
            }
            return 1;
        });
    }

    /** The server dies at once, and is started again. */
    static Fault kill(Damage damage, Step kill, Step restart) {
        return new ServerFault("server-kill", damage, (stage, random) -> {
            kill.take();
            try {
                HostTime.sleep(stage.leases(0, 1, random));
            } finally {
                restart.take();
            }
            return 1;
        });
    }

    @Override
    public Scope scope() {
        return Scope.SERVER;
    }

    @Override
    public Effects happen(Stage stage, SplittableRandom random) throws Exception {
        return new Effects("the server", course.run(stage, random));
    }
}
