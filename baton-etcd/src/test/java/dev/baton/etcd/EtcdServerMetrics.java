package dev.baton.etcd;

import dev.baton.servers.EtcdServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.Stream;

/** A server's own counters. */
final class EtcdServerMetrics {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private EtcdServerMetrics() {}

    /** Returns how many calls of a method began: of KV, Watch and Lease. */
    static long calls(EtcdServer server, String method) throws Exception {
        return all(server)
                .filter(line -> line.startsWith("grpc_server_started_total{grpc_method=\"" + method + '"'))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    static String of(EtcdServer server, String name) throws Exception {
        return all(server)
                .filter(line -> line.startsWith(name + ' '))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<String> all(EtcdServer server) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port(0) + "/metrics");
        return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body()
                .lines();
    }
}
