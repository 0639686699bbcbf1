package dev.baton.etcd;

import dev.baton.tck.server.EtcdServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** What a server counts. */
final class EtcdServerMetrics {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private EtcdServerMetrics() {}

    static String of(EtcdServer server, String name) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + server.port(0) + "/metrics");
        String all = HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        return all.lines()
                .filter(line -> line.startsWith(name + ' '))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }
}
