package dev.baton.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemcachedAddressTest {
    @Test
    void parts_areRead() {
        assertThat(MemcachedAddress.of(URI.create("memcached://cache")))
                .isEqualTo(new MemcachedAddress("cache", 11211, MemcachedAddress.DEFAULT_CONNECTIONS));
        assertThat(MemcachedAddress.of(URI.create("memcached://10.0.0.1:22122/?connections=16")))
                .isEqualTo(new MemcachedAddress("10.0.0.1", 22122, 16));
        assertThat(MemcachedAddress.of(URI.create("memcached://[::1]:7")).target())
                .isEqualTo("[::1]:7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "memcached:cache",
                "memcached:///",
                "memcached://one,two:11211",
                "memcached://user:secret@cache",
                "memcached://cache/0",
                "memcached://cache?connections=0",
                "memcached://cache?connections=1000",
                "memcached://cache?timeout=5",
            })
    void malformed_isRefused_withoutSecrets(String address) {
        assertThatThrownBy(() -> MemcachedAddress.of(URI.create(address)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write memcached://")
                .message()
                .doesNotContain("secret");
    }
}
