package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;

/** Addresses with sentinels, and the options of all addresses. */
class RedisAddressTest {
    private static RedisAddress read(String address) {
        return RedisAddress.of(URI.create(address));
    }

    private static SentinelAccess sentinels(String address) {
        SentinelAccess access = read(address).sentinels();
        assertThat(access).isNotNull();
        return access;
    }

    @Test
    void sentinels_withEverything_areReadAndShowNoPassword() {
        String text = "rediss+sentinel://us%20er:p%40ss@one:1,two_2,three:3/my-name/4?ca=%2Fetc%2Fca.pem&grace=strict"
                + "&replicated=2&sentinelUser=watch&sentinelPassword=w%3Drd&sentinelTls=false"
                + "&map=10.0.0.5:6379=near:1,ten=near:2";
        RedisAddress address = read(text);
        assertThat(address.tls()).isTrue();
        assertThat(address.hosts())
                .containsExactly(
                        new HostAndPort("one", 1), new HostAndPort("two_2", 26_379), new HostAndPort("three", 3));
        assertThat(address.user()).isEqualTo("us er");
        assertThat(address.password()).isEqualTo("p@ss");
        assertThat(address.database()).isEqualTo(4);
        assertThat(address.certificates()).hasToString("/etc/ca.pem");
        assertThat(address.grace()).isEqualTo(GraceMode.STRICT);
        assertThat(address.replicated()).isEqualTo(2);
        assertThat(sentinels(text)).isEqualTo(new SentinelAccess("my-name", false, "watch", "w=rd"));
        assertThat(address.map())
                .isEqualTo(Map.of(
                        new HostAndPort("10.0.0.5", 6379), new HostAndPort("near", 1),
                        new HostAndPort("ten", 6379), new HostAndPort("near", 2)));
        assertThat(address.toString() + sentinels(text)).doesNotContain("p@ss").doesNotContain("w=rd");
    }

    @Test
    void sentinels_withNamesAlone_haveDefaults() {
        RedisAddress address = read("redis+sentinel://one/name");
        assertThat(address)
                .isEqualTo(new RedisAddress(
                        false,
                        RedisAddress.Kind.SENTINELS,
                        List.of(new HostAndPort("one", 26_379)),
                        new SentinelAccess("name", false, null, null),
                        Map.of(),
                        null,
                        null,
                        0,
                        null,
                        GraceMode.AUTO,
                        0));
        assertThat(address.target()).isEqualTo("the primary of name");
        assertThat(sentinels("rediss+sentinel://one/name").tls()).isTrue();
        assertThat(sentinels("redis+sentinel://one/name?sentinelTls=TRUE").tls())
                .isTrue();
        assertThat(read("redis+sentinel://[::1]:7/name").hosts()).containsExactly(new HostAndPort("::1", 7));
    }

    @Test
    void membersOfAQuorum_areRead() {
        RedisAddress address = read("rediss+quorum://us%20er:p%40ss@one:1,two,three/2");
        assertThat(address)
                .isEqualTo(new RedisAddress(
                        true,
                        RedisAddress.Kind.QUORUM,
                        List.of(
                                new HostAndPort("one", 1),
                                new HostAndPort("two", 6379),
                                new HostAndPort("three", 6379)),
                        null,
                        Map.of(),
                        "us er",
                        "p@ss",
                        2,
                        null,
                        GraceMode.AUTO,
                        0));
        assertThat(address.target()).isEqualTo("the quorum of one:1");
        assertThat(address).hasToString("rediss+quorum://one:1,two:6379,three:6379/2");
    }

    @Test
    void quorum_thatIsNone_isRefused() {
        for (String hosts : List.of("one", "one,two", "one,two,three,four", "a,b,c,d,e,f,g,h,i,j,k")) {
            assertThatThrownBy(() -> read("redis+quorum://" + hosts))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "a quorum has 3, 5, 7 or 9 members, and the address names " + hosts.split(",", -1).length);
        }
        assertThatThrownBy(() -> read("redis+quorum://one,two,three?grace=off"))
                .hasMessageContaining("grace=off is not for a quorum");
        assertThatThrownBy(() -> read("redis+quorum://one,two,three?replicated=1"))
                .hasMessageContaining("this address takes only ca, grace");
        assertThat(read("redis+quorum://one,two,three?grace=strict").grace()).isEqualTo(GraceMode.STRICT);
    }

    /** As an address arrives in which the sign had to be encoded. */
    @Test
    void map_withGreaterThan_isRead() {
        assertThat(read("redis+sentinel://one/name?map=a:1%3Eb:2").map())
                .isEqualTo(Map.of(new HostAndPort("a", 1), new HostAndPort("b", 2)));
    }

    @Test
    void nodesOfACluster_areRead() {
        RedisAddress address = read("rediss+cluster://us%20er:p%40ss@one:1,two?grace=strict&replicated=1&map=a:1=b:2");
        assertThat(address)
                .isEqualTo(new RedisAddress(
                        true,
                        RedisAddress.Kind.CLUSTER,
                        List.of(new HostAndPort("one", 1), new HostAndPort("two", 6379)),
                        null,
                        Map.of(new HostAndPort("a", 1), new HostAndPort("b", 2)),
                        "us er",
                        "p@ss",
                        0,
                        null,
                        GraceMode.STRICT,
                        1));
        assertThat(address.target()).isEqualTo("the cluster of one:1");
        assertThat(address).hasToString("rediss+cluster://one:1,two:6379");
        assertThat(read("redis+cluster://one/0").cluster()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "redis+cluster:one, names no node of the cluster",
        "redis+cluster://one/1, has number 0 alone",
        "redis+cluster://one/name, has number 0 alone",
        "'redis+cluster://one,one', names a node twice",
        "redis+cluster://a@b@one, is written as %40",
        "redis+cluster://one?sentinelUser=x, sentinelUser",
        "redis+cluster://one?ca=/x, rediss+cluster:// for redis+cluster://",
        "'redis+cluster://one,:2', node 2 of the address has no host"
    })
    void nodesOfACluster_thatMakeNoSense_areRefused(String text, String why) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text)).withMessageContaining(why);
    }

    @Test
    void options_ofAServerAlone_areRead() {
        RedisAddress address = read("redis://one?GRACE=Off&replicated=1");
        assertThat(address.grace()).isEqualTo(GraceMode.OFF);
        assertThat(address.replicated()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redis+sentinel://s3cret:1                        | ends with the name under which they watch",
                "redis+sentinel://s3cret/                         | ends with the name under which they watch",
                "redis+sentinel:s3cret                            | names no sentinel",
                "redis+sentinel://h/name/s3cret                   | not the number of a database",
                "redis+sentinel://h/name/1/s3cret                 | not a name and the number of a database",
                "redis+sentinel://h/s3cret@name                   | not a name and the number of a database",
                "redis+sentinel://u:s3cret@x@h/name               | is written as %40",
                "redis+sentinel://h,s3cret:x/name                 | sentinel 2 of the address has a port that is no",
                "redis+sentinel://h,h2:/name                      | sentinel 2 of the address has a port that is no",
                "redis+sentinel://h,/name                         | sentinel 2 of the address has no host",
                "redis+sentinel://h:99999/name                    | not between 1 and 65535",
                "redis+sentinel://h,h2,h:26379/name               | a sentinel twice, at position 1 and at position 3",
                "redis+sentinel://h/name?timeout=s3cret           | unknown option \"timeout\"",
                "redis+sentinel://h/name?sentinelPassword=a&s3cret=1 | unknown option: this address takes only ca",
                "redis+sentinel://h/name?grace=s3cret             | grace= takes auto, strict or off",
                "redis+sentinel://h/name?grace=off&Grace=off      | grace is there twice",
                "redis+sentinel://h/name?replicated=-1            | replicated= takes a number",
                "redis+sentinel://h/name?sentinelTls=s3cret       | sentinelTls= takes true or false",
                "redis+sentinel://h/name?sentinelUser=s3cret      | needs a sentinelPassword=",
                "redis+sentinel://h/name?map=s3cret               | entry 1 of map= is not a pair",
                "redis+sentinel://h/name?map=a:1=b:2,a:1=s3cret:3 | entry 2 of map= maps an announced address for the",
                "redis+sentinel://u:s%2540cret@h/name?map=a%3Eb   | write = for >",
                "redis+sentinel://h/name?ca=x.pem                 | write rediss+sentinel://",
                "redis://h?map=a=b                                | takes only ca, grace, replicated",
                "redis://h1,h2/name                               | redis+sentinel://host,host/NAME",
            })
    void address_thatMakesNoSense_isRefusedWithWhatToWrite(String address, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> read(address))
                .withMessageContaining(message)
                .satisfies(refused -> assertThat(Logs.trace(refused)).doesNotContain("s3cret"));
    }
}
