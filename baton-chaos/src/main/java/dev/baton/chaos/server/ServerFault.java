package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.LocalServer;
import dev.baton.servers.Members;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/**
 * A fault of one kind of server.
 *
 * @param id its name
 * @param damage what it breaks
 * @param course what happens
 * @param aftermath how long after its end clients may have to wait until the store grants again
 */
record ServerFault(String id, Damage damage, Course course, Duration aftermath) implements Fault {
    private static final String WHERE = "the server";

    /** Describes a fault that is over when it is undone. */
    ServerFault(String id, Damage damage, Course course) {
        this(id, damage, course, Duration.ZERO);
    }

    /** What happens. */
    interface Course {
        /** Runs it, and undoes it. */
        Effects run(Stage stage, SplittableRandom random) throws Exception;
    }

    /** What happens. Returns how often it had an effect. */
    interface Counted {
        /** Runs it, and undoes it. */
        long run(Stage stage, SplittableRandom random) throws Exception;
    }

    /** A step at a server. */
    interface Step {
        /** Takes it. */
        void take() throws Exception;
    }

    static ServerFault counted(String id, Damage damage, Counted course) {
        return new ServerFault(id, damage, (stage, random) -> new Effects(WHERE, course.run(stage, random)));
    }

    /** Returns the same, after whose end clients may have to wait until the store grants again. */
    ServerFault withAftermath(Duration longest) {
        return new ServerFault(id, damage, course, longest);
    }

    /** The process of a server is stopped for a while, and dies at once and is started again. */
    static List<Fault> ofProcess(Damage killed, Supplier<? extends LocalServer> server) {
        return ofProcess(killed, Duration.ZERO, server);
    }

    /** The same, if a server that was started again grants nothing for a while. */
    static List<Fault> ofProcess(Damage killed, Duration grace, Supplier<? extends LocalServer> server) {
        return List.of(
                pause(
                        "server-pause",
                        () -> server.get().pause(),
                        () -> server.get().resume()),
                kill(
                                "server-kill",
                                killed,
                                () -> server.get().kill(),
                                () -> server.get().restart())
                        .withAftermath(grace));
    }

    /** The leader of several servers is stopped, or dies, or another member dies. */
    static List<Fault> ofMembers(Supplier<? extends Members> servers) {
        Chosen chosen = new Chosen();
        Step restart = () -> servers.get().restart(chosen.member);
        return List.of(
                pause(
                        "leader-pause",
                        () -> servers.get().pause(chosen.leader(servers.get())),
                        () -> servers.get().resume(chosen.member)),
                kill("leader-kill", Damage.NONE, () -> servers.get().kill(chosen.leader(servers.get())), restart),
                kill("member-kill", Damage.NONE, () -> servers.get().kill(chosen.follower(servers.get())), restart));
    }

    /** The member that a fault has chosen. */
    private static final class Chosen {
        private int member;

        private int leader(Members servers) {
            member = servers.leader();
            return member;
        }

        private int follower(Members servers) {
            member = (servers.leader() + 1) % servers.size();
            return member;
        }
    }

    private static Fault pause(String id, Step pause, Step resume) {
        return counted(id, Damage.NONE, (stage, random) -> {
            pause.take();
            try {
                HostTime.sleep(stage.leases(0.2, 2, random));
            } finally {
                resume.take();
            }
            return 1;
        });
    }

    private static ServerFault kill(String id, Damage damage, Step kill, Step restart) {
        return counted(id, damage, (stage, random) -> {
            kill.take();
            try {
                HostTime.sleep(stage.leases(0, 1, random));
            } finally {
                restart.take();
            }
            return 1;
        });
    }

    /** The server dies, and is started again with the data of some time before. */
    static ServerFault oldData(Damage damage, Supplier<? extends LocalServer> server, Marker marker) {
        return new ServerFault("server-restart-old-data", damage, (stage, random) -> {
            OldData copy = OldData.of(server.get());
            HostTime.sleep(stage.leases(1, 10, random));
            long mark = HostTime.nanos();
            marker.set(mark);
            long killed = HostTime.nanos();
            server.get().kill();
            try {
                copy.putBack();
                HostTime.sleep(stage.leases(0, 0.5, random));
            } finally {
                server.get().restart();
            }
            return new Effects(WHERE, marker.isSet(mark) ? 0 : 1, killed);
        });
    }

    @Override
    public Scope scope() {
        return Scope.SERVER;
    }

    @Override
    public Effects happen(Stage stage, SplittableRandom random) throws Exception {
        return course.run(stage, random);
    }
}
