package dev.baton.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.servers.net.TcpProxy;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Another way to the server of a fixture, through a proxy with which a case disturbs the network. */
final class Detour implements AutoCloseable {
    private static final Pattern ENDPOINT = Pattern.compile("(//(?:[^@/]*@)?)([^:/@?]+):(\\d+)");

    private final TcpProxy proxy;
    private final String uri;

    private Detour(TcpProxy proxy, String uri) {
        this.proxy = proxy;
        this.uri = uri;
    }

    /** Opens a way to the store of a fixture, which must be behind a socket. */
    static Detour to(StoreFixture fixture) {
        Matcher endpoint = ENDPOINT.matcher(fixture.uri());
        assertThat(endpoint.find())
                .as("an address with a port: %s", fixture.uri())
                .isTrue();
        TcpProxy proxy = TcpProxy.to(endpoint.group(2), Integer.parseInt(endpoint.group(3)));
        return new Detour(proxy, endpoint.replaceFirst("$1" + proxy.host() + ":" + proxy.port()));
    }

    /** Returns the proxy. */
    TcpProxy proxy() {
        return proxy;
    }

    /** Returns the fixture's address, but for host and port: these are the proxy's. */
    String uri() {
        return uri;
    }

    @Override
    public void close() {
        proxy.close();
    }
}
