package dev.baton.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses, names as keys, versions. */
class EtcdAddressTest {
    @Test
    void address_withEverything_isRead() {
        EtcdAddress address = EtcdAddress.of(
                URI.create("etcd://us%3Aer:se%40cret@one,two.example.org:1/a/b/?ttl=1m&shortLeases=true&ca=/ca.pem"));
        assertThat(address.servers()).containsExactly("one:2379", "two.example.org:1");
        assertThat(address.user()).isEqualTo("us:er");
        assertThat(address.password()).isEqualTo("se@cret");
        assertThat(address.prefix()).isEqualTo("/a/b");
        assertThat(address.ttl()).isEqualTo(Duration.ofMinutes(1));
        assertThat(address.shortLeases()).isTrue();
        assertThat(address.tls()).isEqualTo(new EtcdAddress.Tls(Path.of("/ca.pem"), null, null));
        assertThat(address).asString().doesNotContain("cret").isEqualTo("etcd://one:2379,two.example.org:1/a/b");
    }

    @Test
    void address_ofTheApplicationsClient_namesNoServer() {
        EtcdAddress address = EtcdAddress.of(URI.create("etcd:///prefix"));
        assertThat(address.servers()).isEmpty();
        assertThat(address.prefix()).isEqualTo("/prefix");
        assertThat(address.ttl()).isEqualTo(Duration.ofSeconds(10));
        assertThat(address.tls()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://user@host",
                "etcd://:s3cret@host",
                "etcd://user:s3,cret@host:1:2",
                "etcd://user:s3cret@host?ttl=100ms",
                "etcd://user:s3cret@host?ttl=0s",
                "etcd://user:s3cret@host?shortLeases=yes",
                "etcd://user:s3cret@host?tls=false&ca=x",
                "etcd://user:s3cret@host?cert=x",
                "etcd://user:p?s3cret@host",
                "etcd://host?sessionTimeout=1s",
            })
    void address_thatIsMalformed_isRefusedWithoutItsSecret(String uri) {
        assertThatThrownBy(() -> EtcdAddress.of(URI.create(uri)))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .doesNotContain("cret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "a/b", "%", "100%25", "ümläut 漢字", " ", "a\u0000b", "..", "n:a,m;e=@+"})
    void name_asPartOfAKey_isReadBack(String name) {
        Keys keys = Keys.of("/prefix", "name/space");
        String key = keys.line(name) + "label";
        assertThat(key).startsWith("/prefix/name%2Fspace/n/").matches("\\P{Cntrl}+");
        assertThat(key.chars().filter(each -> each == '/').count()).isEqualTo(5);
        io.etcd.jetcd.api.KeyValue found = io.etcd.jetcd.api.KeyValue.newBuilder()
                .setKey(com.google.protobuf.ByteString.copyFromUtf8(key))
                .build();
        assertThat(keys.nameOf(new io.etcd.jetcd.KeyValue(found, io.etcd.jetcd.ByteSequence.EMPTY)))
                .contains(name);
    }

    @ParameterizedTest
    @CsvSource({
        "2.3.8, 4", "3.3.27, 4", "3.4.23, 4", "3.4.31, 3", "3.4.32, 2", "3.4.38, 1", "3.4.42, 0", "3.5.13, 3",
        "3.5.14, 2", "3.5.23, 1", "3.5.28, 0", "3.6.0, 2", "3.6.5, 1", "3.6.9, 0", "3.7.0-rc.1, 0", "4.0.0, 0",
        "unknown, 0",
    })
    void version_withMistakes_isWarnedOf(String version, int mistakes) {
        assertThat(Versions.warning(version, "host")
                        .map(text -> text.split(";").length)
                        .orElse(0))
                .isEqualTo(mistakes);
    }
}
