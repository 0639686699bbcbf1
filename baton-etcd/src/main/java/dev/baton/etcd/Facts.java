package dev.baton.etcd;

import dev.baton.spi.StoreFailure;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.cluster.Member;
import io.etcd.jetcd.maintenance.StatusResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The facts that the members report about themselves. */
final class Facts {
    private static final long PATIENCE_MILLIS = 2_000;
    private static final long KIB = 1_024;

    private final Client client;
    private final EtcdAddress address;
    private final LongSupplier ttlMillis;

    /** A member's answer. */
    private record Said(String server, StatusResponse status) {}

    Facts(Client client, EtcdAddress address, LongSupplier ttlMillis) {
        this.client = client;
        this.address = address;
        this.ttlMillis = ttlMillis;
    }

    CompletableFuture<Map<String, String>> ask() {
        return members()
                .thenCompose(members -> statuses(servers(members)).thenCompose(said -> {
                    if (said.isEmpty()) {
                        return CompletableFuture.failedFuture(new StoreFailure(
                                StoreFailure.Effect.NONE,
                                StoreFailure.Reason.UNREACHABLE,
                                "no member of etcd at " + address.target() + " says anything of itself",
                                null));
                    }
                    return CompletableFuture.completedFuture(facts(members, said));
                }));
    }

    /** Returns the versions of the members that answer. */
    CompletableFuture<Map<String, String>> versions() {
        return members()
                .thenCompose(members -> statuses(servers(members)).thenApply(said -> {
                    Map<String, String> versions = new TreeMap<>();
                    said.forEach(each -> versions.put(each.server, each.status.getVersion()));
                    return versions;
                }));
    }

    /** Returns the members; empty if the server does not tell them. */
    private CompletableFuture<List<Member>> members() {
        return client.getClusterClient()
                .listMember()
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .handle((listed, failed) -> failed == null ? listed.getMembers() : List.of());
    }

    /** Returns the servers of the address; if the application brings the client, those that the members report. */
    private List<String> servers(List<Member> members) {
        if (!address.servers().isEmpty()) {
            return address.servers();
        }
        return members.stream()
                .flatMap(each -> each.getClientURIs().stream().limit(1))
                .map(uri -> uri.getHost() + ':' + uri.getPort())
                .toList();
    }

    private CompletableFuture<List<Said>> statuses(List<String> servers) {
        List<CompletableFuture<List<Said>>> asked = new ArrayList<>();
        for (String server : servers) {
            asked.add(client.getMaintenanceClient()
                    .statusMember("ip:///" + server)
                    .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                    .handle((status, failed) -> failed == null ? List.of(new Said(server, status)) : List.of()));
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                .thenApply(done ->
                        asked.stream().flatMap(each -> each.join().stream()).toList());
    }

    private Map<String, String> facts(List<Member> members, List<Said> said) {
        StatusResponse status = said.get(0).status;
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(
                "version",
                String.join(
                        ", ",
                        said.stream()
                                .map(each -> each.status.getVersion())
                                .distinct()
                                .toList()));
        facts.put("leader", leader(members, status));
        facts.put("members", members.isEmpty() ? "unknown" : String.valueOf(members.size()));
        facts.put(
                "members that answered", said.size() + " of " + servers(members).size());
        facts.put("database", status.getDbSize() / KIB + " KiB");
        facts.put("revision", String.valueOf(status.getHeader().getRevision()));
        facts.put("lease", ttlMillis.getAsLong() + " ms");
        facts.put("servers", address.target());
        return facts;
    }

    private static String leader(List<Member> members, StatusResponse status) {
        return status.getLeader() == 0
                ? "none"
                : members.stream()
                        .filter(each -> each.getId() == status.getLeader())
                        .map(Member::getName)
                        .findFirst()
                        .orElse(Long.toHexString(status.getLeader()));
    }
}
