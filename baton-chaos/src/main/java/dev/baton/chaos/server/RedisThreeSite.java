package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.chaos.fault.Stage;
import dev.baton.chaos.history.HostTime;
import dev.baton.servers.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Three Redis servers that know nothing of each other, for locks that ask a majority of them: those of the zoo, or Baton's. */
final class RedisThreeSite implements ManyServersSite {
    private static final int SIZE = 3;

    /** Short, because members that were started again grant nothing for as long. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final boolean quorum;
    private List<RedisServer> members = List.of();

    /**
     * Describes them.
     *
     * @param quorum whether their address is that of Baton's quorum; otherwise it is a list for locks of the zoo
     */
    RedisThreeSite(boolean quorum) {
        this.quorum = quorum;
    }

    @Override
    public String uri() {
        if (members.isEmpty()) {
            members = Stream.generate(RedisServer::start).limit(SIZE).toList();
        }
        return quorum
                ? members.stream()
                        .map(member -> member.host() + ':' + member.port())
                        .collect(Collectors.joining(",", "redis+quorum://", ""))
                : members.stream().map(RedisServer::uri).collect(Collectors.joining(","));
    }

    @Override
    public Duration grace() {
        return quorum ? GRACE : ManyServersSite.super.grace();
    }

    @Override
    public boolean knowsMoreThanLocks() {
        return !quorum;
    }

    @Override
    public List<Fault> faults() {
        return List.of(
                ServerFault.counted("member-pause", Damage.NONE, this::pauseOne),
                // A lock that asks a majority promises to survive this, if members wait before they take part again.
                ServerFault.counted("members-restart", Damage.NONE, this::restartAll)
                        .withAftermath(grace()),
                // Nor is this damage: holders are told, as a majority has forgotten them, before anybody is granted
                // anything.
                ServerFault.counted("two-members-restart", Damage.NONE, this::restartTwo)
                        .withAftermath(grace()));
    }

    private long pauseOne(Stage stage, SplittableRandom random) throws InterruptedException {
        RedisServer member = members.get(random.nextInt(SIZE));
        member.pause();
        try {
            HostTime.sleep(stage.leases(0.2, 2, random));
        } finally {
            member.resume();
        }
        return 1;
    }

    /** One after the other, so that two are always up. */
    private long restartAll(Stage stage, SplittableRandom random) throws InterruptedException {
        for (RedisServer member : members) {
            member.kill();
            member.restart();
            HostTime.sleep(stage.leases(0, 0.1, random));
        }
        // Before that, none takes part in locks that are made to survive this.
        HostTime.sleep(stage.leases(2, 4, random));
        return SIZE;
    }

    /** Both at once: a majority has forgotten all locks. */
    private long restartTwo(Stage stage, SplittableRandom random) throws InterruptedException {
        int stays = random.nextInt(SIZE);
        List<RedisServer> two = IntStream.range(0, SIZE)
                .filter(each -> each != stays)
                .mapToObj(members::get)
                .toList();
        two.forEach(RedisServer::kill);
        two.forEach(RedisServer::restart);
        HostTime.sleep(stage.leases(2, 4, random));
        return two.size();
    }

    @Override
    public void close() {
        members.forEach(RedisServer::close);
    }
}
