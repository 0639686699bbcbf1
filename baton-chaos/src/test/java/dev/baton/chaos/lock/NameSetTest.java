package dev.baton.chaos.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.tck.history.Portion;
import dev.baton.tck.history.Portion.Side;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names are divided between kinds, and callers ask for all that a kind has. */
class NameSetTest {
    private static final NameSet ALL =
            new NameSet(12, List.of(NameKind.LOCK, NameKind.READ_WRITE, NameKind.SEMAPHORE, NameKind.ALL_OF));

    private static List<Wanted> choices(NameSet names) {
        SplittableRandom random = new SplittableRandom(1);
        return IntStream.range(0, 10_000).mapToObj(i -> names.choose(random)).toList();
    }

    @Test
    void names_areOfEachKindInTurn() {
        assertThat(IntStream.range(0, 6).mapToObj(ALL::name))
                .containsExactly("lock-0", "read-write-1", "semaphore-2", "all-of-3", "lock-4", "read-write-5");
        assertThat(NameSet.number("read-write-5")).isEqualTo(5);
        assertThat(NameKind.wordOf("read-write-5")).isEqualTo("read-write");
    }

    @Test
    void choices_areEvenBetweenKinds_andHalfOfThemForTheFirstName() {
        Map<String, Long> byName = choices(ALL).stream()
                .filter(wanted -> wanted.names().size() == 1)
                .collect(Collectors.groupingBy(Wanted::name, Collectors.counting()));
        assertThat(byName).hasSize(12);
        assertThat(byName.get("lock-0")).isBetween(1_500L, 1_850L);
        assertThat(byName.get("semaphore-6")).isBetween(300L, 530L);
    }

    @Test
    void portions_areThoseOfTheKind() {
        Map<String, Set<Portion>> portions = choices(ALL).stream()
                .collect(Collectors.groupingBy(
                        wanted -> NameKind.wordOf(wanted.name()),
                        Collectors.mapping(Wanted::portion, Collectors.toSet())));
        assertThat(portions.get("lock")).containsExactly(Portion.LOCK);
        assertThat(portions.get("all-of")).containsExactly(Portion.LOCK);
        assertThat(portions.get("read-write"))
                .containsExactlyInAnyOrder(Portion.reader(), Portion.writer(false), Portion.writer(true));
        assertThat(portions.get("semaphore"))
                .hasSize(5)
                .allMatch(portion -> portion.side() == Side.PERMITS && portion.capacity() == 5);
    }

    @Test
    void notesTermsAndJobs_areHeldByOneAtATime_andHalfOfTheJobsAbandonRuns() {
        NameSet left = new NameSet(12, List.of(NameKind.NOTE, NameKind.TERM, NameKind.JOB));
        assertThat(choices(left)).allMatch(wanted -> wanted.portion().equals(Portion.LOCK));
        assertThat(left.name(1)).isEqualTo("term-1");
        assertThat(NameKind.TERM.has("term-1")).isTrue();
        assertThat(NameKind.JOB.has("term-1")).isFalse();
        assertThat(IntStream.range(0, 12).mapToObj(left::name).filter(NameKind.JOB::has))
                .containsExactly("job-2", "job-5", "job-8", "job-11")
                .filteredOn(NameSet::abandons)
                .containsExactly("job-2", "job-8", "job-11");
    }

    @Test
    void groups_haveUpToThreeNamesOfTheirKind_andNoneTwice() {
        List<List<String>> groups = choices(ALL).stream()
                .map(Wanted::names)
                .filter(names -> names.get(0).startsWith("all-of"))
                .toList();
        assertThat(groups).extracting(List::size).contains(1, 2, 3).allMatch(size -> size <= 3);
        assertThat(groups)
                .allMatch(names -> new HashSet<>(names).size() == names.size())
                .allMatch(names -> names.stream().allMatch(name -> name.startsWith("all-of")))
                .as("in any order")
                .contains(List.of("all-of-3", "all-of-7"), List.of("all-of-7", "all-of-3"));
    }

    @Test
    void whole_leavesNoRoomForAnother() {
        assertThat(IntStream.range(0, 4).mapToObj(ALL::whole))
                .allMatch(wanted -> wanted.portion().isAlone())
                .extracting(Wanted::name)
                .containsExactly("lock-0", "read-write-1", "semaphore-2", "all-of-3");
    }
}
