package dev.baton.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords are found in every form of a store's address, and so are typing errors at its beginning. */
class AddressesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:p@h",
                "redis://u:p@h:6379/0?x=y",
                "rediss://u:p@ss@h",
                "redis+sentinel://u:p@h:1,h:2/name",
                "rediss+sentinel://h:1,h:2/name?sentinelPassword=p",
                "redis+cluster://u:p@h:1,h:2",
                "zookeeper://u:p@h1:2181,h2:2181/path",
                "etcd://u:p@h1:2379,h2:2379/prefix",
                "etcd://h1:2379,u:p@h2:2379",
                "jdbc:postgresql://h/app?user=app&password=p",
                "jdbc:postgresql://h1,h2/app?sslpassword=p",
                "jdbc:mariadb://h/app?password=p&user=u",
                "jdbc:mariadb://u:p@h/app",
                "jdbc:mysql://(host=h,port=1,user=u,password=p)/app",
                "jdbc:mysql://address=(host=h)(password=p)/app",
                "jdbc:h2:tcp://h/~/app;USER=app;PASSWORD=p",
                "jdbc:h2:file:/x;CIPHER=AES;PWD=p",
                "jdbc:mysql://h/app?trustCertificateKeyStorePassword=p"
            })
    void password_isSeen(String address) {
        assertThat(Addresses.hasPassword(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "local",
                "memory:",
                "redis://h:6379",
                "redis://u@h:6379",
                "redis+sentinel://u@h:1,h:2/name?sentinelUser=u",
                "etcd://h1:2379,h2:2379/prefix",
                "zookeeper://h1:2181,h2:2181/path?sessionTimeout=10s",
                "jdbc:postgresql://h:5432/app?user=app",
                "jdbc:postgresql://h/app?user=app&password=",
                "jdbc:sqlite:/var/lib/password=x/locks.db",
                "jdbc:h2:tcp://h/~/app;USER=app"
            })
    void noPassword_isSeen_whereThereIsNone(String address) {
        assertThat(Addresses.hasPassword(address)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "reddis://h, redis:",
        "redis+sentinal://h/name, redis+sentinel:",
        "rediss-sentinel://h/name, rediss+sentinel:",
        "redis-cluster://h, redis+cluster:",
        "redi://h, redis:",
        "redisss://h, rediss:",
        "Redis://h, redis:",
        "zookeper://h, zookeeper:",
        "jdbc:postgres://h/x, jdbc:postgresql:",
        "jdbc:postgresq://h/x, jdbc:postgresql:",
        "jdbc:postgersql://h/x, jdbc:postgresql:",
        "ectd://h, etcd:",
        "lokal, local",
        "jdbc:oracle:thin:@h, ",
        "redis://h, ",
        "redis+sentinel://h/name, ",
        "redis+cluster://h, ",
        "nonsense, "
    })
    void slip_isMended(String address, String meant) {
        assertThat(Addresses.similar(address).orElse(null)).isEqualTo(meant);
    }
}
