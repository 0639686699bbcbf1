package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RotationTest {
    private static List<Integer> contestants(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 11})
    void contestant_isAtEachPlaceOnce_inAsManyRoundsAsThereAreContestants(int count) {
        List<List<Integer>> rounds = IntStream.range(0, count)
                .mapToObj(round -> Rotation.order(contestants(count), round))
                .toList();
        for (int place = 0; place < count; place++) {
            int at = place;
            assertThat(rounds)
                    .as("place %d", place)
                    .extracting(order -> order.get(at))
                    .containsExactlyInAnyOrderElementsOf(contestants(count));
        }
        assertThat(rounds)
                .allSatisfy(order -> assertThat(order)
                        .as("all take part in each round")
                        .containsExactlyInAnyOrderElementsOf(contestants(count)));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 7})
    void countsOfPlaces_differByOneAtMost_afterAnyNumberOfRounds(int count) {
        int[][] times = new int[count][count];
        for (int round = 0; round < 3 * count + 1; round++) {
            List<Integer> order = Rotation.order(contestants(count), round);
            for (int place = 0; place < count; place++) {
                times[order.get(place)][place]++;
            }
            for (int[] each : times) {
                IntStream.of(each)
                        .max()
                        .ifPresent(most -> assertThat(
                                        most - IntStream.of(each).min().orElseThrow())
                                .isLessThanOrEqualTo(1));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 6, 10})
    void contestant_followsEachOtherOnce_ifTheirNumberIsEven(int count) {
        List<List<Integer>> neighbours = new ArrayList<>();
        for (int round = 0; round < count; round++) {
            List<Integer> order = Rotation.order(contestants(count), round);
            for (int place = 1; place < count; place++) {
                neighbours.add(order.subList(place - 1, place + 1));
            }
        }
        assertThat(neighbours).hasSize(count * (count - 1));
        assertThat(neighbours).doesNotHaveDuplicates();
    }
}
