package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.servers.RedisServer;
import java.net.URI;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;

class DistanceTest {
    @ParameterizedTest
    @CsvSource({"0,0", "0ms,0", "300us,300", "1ms,1000", " 20ms ,20000", "1000ms,1000000"})
    void distance_isATimeWithItsUnit(String text, long micros) {
        assertThat(Distance.parse(text)).isEqualTo(Duration.ofNanos(1_000 * micros));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "-1ms", "1s", "0.5ms", "far"})
    void otherForms_areRefused_withOneThatFits(String text) {
        assertThatThrownBy(() -> Distance.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a distance: " + text)
                .hasMessageContaining("such as 0, 300us or 1ms");
    }

    @Test
    void moreThanASecond_isRefused() {
        assertThatThrownBy(() -> Distance.parse("1001ms")).hasMessageContaining("longer than 1s");
    }

    @Test
    void distance_isAddedToEachRoundTrip_andMeasured() throws Exception {
        RedisServer server = RedisServer.shared();
        Duration added = Duration.ofMillis(20);
        try (Remoteness far = Remoteness.of(Map.of(Home.SERVER, server.uri()), added);
                Jedis jedis = new Jedis(URI.create(far.addresses().get(Home.SERVER)))) {
            assertThat(far.distance().measured()).isGreaterThanOrEqualTo(added);
            assertThat(far.distance().words())
                    .contains("adds 20.00 ms")
                    .contains(String.format(
                            Locale.ROOT,
                            "an echo takes %.2f ms",
                            far.distance().measured().toNanos() / 1e6));
            jedis.ping();
            assertThat(ping(jedis)).isGreaterThanOrEqualTo(added);
            far.bringNear();
            assertThat(IntStream.range(0, 20).mapToObj(i -> ping(jedis)).min(Comparator.naturalOrder()))
                    .hasValueSatisfying(time -> assertThat(time).isLessThan(added));
            far.moveAway();
            assertThat(ping(jedis)).isGreaterThanOrEqualTo(added);
        }
    }

    private static Duration ping(Jedis jedis) {
        long begin = System.nanoTime();
        jedis.ping();
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://127.0.0.1:5432/test?user=me,/test?user=me",
        "zookeeper://127.0.0.1:2181,''",
        "redis://me:secret@127.0.0.1:6379/2,/2"
    })
    void address_keepsItsOtherParts(String address, String end) throws Exception {
        String start = address.substring(0, address.indexOf("127.0.0.1"));
        try (Remoteness far = Remoteness.of(Map.of(Home.DATABASE, address), Duration.ofMillis(1))) {
            assertThat(far.addresses().get(Home.DATABASE))
                    .matches("\\Q" + start + "\\E127\\.0\\.0\\.1:\\d+\\Q" + end + "\\E")
                    .isNotEqualTo(address);
        }
    }

    @Test
    void noDistance_needsNoProxy() throws Exception {
        Map<Home, String> addresses = Map.of(Home.ETCD, "etcd://a:1,b:2");
        try (Remoteness near = Remoteness.of(addresses, Duration.ZERO)) {
            assertThat(near.addresses()).isEqualTo(addresses);
            assertThat(near.distance().isNone()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd://a:1,b:2", "redis://me:secret@server"})
    void severalServers_orNoPort_areRefused_withoutTellingAPassword(String address) {
        assertThatThrownBy(() -> Remoteness.of(Map.of(Home.SERVER, address), Duration.ofMillis(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("addresses of one server with its port")
                .hasMessageNotContaining("secret");
    }
}
