package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class QuorumTest {
    private static final Quorum FIVE = new Quorum(5);

    @Test
    void majority_isMoreThanHalf() {
        assertThat(new Quorum(3).majority()).isEqualTo(2);
        assertThat(FIVE.majority()).isEqualTo(3);
        assertThat(FIVE.isMajority(2)).isFalse();
        assertThat(FIVE.isMajority(3)).isTrue();
    }

    @Test
    void life_isTheOneThatAMajorityHas() {
        assertThat(FIVE.ofMajority(LongStream.of(5, 1, 4, 2, 3))).isEqualTo(3);
        assertThat(FIVE.ofMajority(LongStream.of(9, 7, 8))).isEqualTo(7);
        assertThat(FIVE.ofMajority(LongStream.of(9, 8))).as("a minority").isZero();
        assertThat(FIVE.ofMajority(LongStream.empty())).isZero();
    }

    @Test
    void soonest_isWhenAMajorityIsFree() {
        assertThat(FIVE.soonestOfMajority(LongStream.of(50, 0, 0, 20, 30), 99)).isEqualTo(20);
        assertThat(FIVE.soonestOfMajority(LongStream.of(50, 0), 99)).isEqualTo(99);
    }
}
