package dev.baton.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatonLockTest {
    @Test
    void address_thatSaysNothingOfSessions_getsShortOnes() {
        assertThat(BatonLock.quick("zookeeper://a:1,b:2/x"))
                .isEqualTo("zookeeper://a:1,b:2/x?sessionTimeout=4s&shortLeases=true");
        assertThat(BatonLock.quick("etcd://a:1?ca=f")).isEqualTo("etcd://a:1?ca=f&ttl=4s&shortLeases=true");
        for (String asItIs : new String[] {"redis://a:1", "zookeeper://a?sessionTimeout=9s", "etcd://a?ttl=9s"}) {
            assertThat(BatonLock.quick(asItIs)).isEqualTo(asItIs);
        }
    }
}
