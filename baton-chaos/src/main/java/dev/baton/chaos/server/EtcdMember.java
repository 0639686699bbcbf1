package dev.baton.chaos.server;

import dev.baton.chaos.fault.Fault;
import dev.baton.chaos.fault.Fault.Damage;
import dev.baton.servers.EtcdServer;
import dev.baton.servers.LocalServer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An etcd of one member.
 *
 * @param servers all members
 * @param member its number
 */
record EtcdMember(EtcdServer servers, int member) implements LocalServer {
    private static final Pattern REVISION = Pattern.compile("\"revision\":\"(\\d+)\"");
    private static final Pattern LEASE = Pattern.compile("\"ID\":\"(\\d+)\"");

    /** Returns the faults that each etcd can have, alone and with other members. */
    static List<Fault> faults(Supplier<EtcdServer> servers) {
        return List.of(
                ServerFault.counted(
                        "sessions-kill", Damage.ENDS_SESSIONS, (stage, random) -> endSession(servers.get(), random)),
                ServerFault.counted("history-compacted", Damage.NONE, (stage, random) -> compact(servers.get())));
    }

    /** Revokes the etcd lease of a client, and returns whether it has gone. */
    private static long endSession(EtcdServer servers, SplittableRandom random) {
        List<String> leases = LEASE.matcher(servers.ask(0, "/v3/lease/leases", "{}"))
                .results()
                .map(MatchResult::group)
                .toList();
        if (leases.isEmpty()) {
            return 0;
        }
        String lease = "{" + leases.get(random.nextInt(leases.size())) + "}";
        servers.ask(0, "/v3/lease/revoke", lease);
        return servers.ask(0, "/v3/lease/timetolive", lease).contains("\"TTL\":\"-1\"") ? 1 : 0;
    }

    private static long compact(EtcdServer servers) {
        Matcher revision = REVISION.matcher(servers.ask(0, "/v3/kv/range", "{\"key\":\"AA==\"}"));
        if (!revision.find()) {
            return 0;
        }
        servers.ask(0, "/v3/kv/compaction", "{\"revision\":\"" + revision.group(1) + "\",\"physical\":true}");
        return 1;
    }

    @Override
    public String uri() {
        return servers.uri();
    }

    @Override
    public int port() {
        return servers.port(member);
    }

    @Override
    public Path data() {
        return servers.data(member);
    }

    @Override
    public void pause() {
        servers.pause(member);
    }

    @Override
    public void resume() {
        servers.resume(member);
    }

    @Override
    public void kill() {
        servers.kill(member);
    }

    @Override
    public void restart() {
        servers.restart(member);
    }

    @Override
    public void close() {
        servers.close();
    }
}
