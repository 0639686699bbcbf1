package dev.baton.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that main classes may make only in one or a few places. */
class ForbiddenCallsHouseTest {
    /** Files that may use {@code synchronized}: the block does not wait, or no virtual thread runs it. */
    private static final List<String> SYNCHRONIZED = List.of(
            "dev/baton/spi/CommandNumber.java", // draws a number
            "dev/baton/internal/ordered/Attempt.java", // changes a state
            "dev/baton/zookeeper/Joins.java", // hands requests to ZooKeeper's queue
            "dev/baton/zookeeper/Watches.java", // adds to a list
            "dev/baton/etcd/Joins.java", // changes a state
            "dev/baton/etcd/EtcdSession.java", // changes a state
            "dev/baton/etcd/Seats.java", // changes a state
            "dev/baton/internal/client/ClientThreads.java", // moves a timer
            "dev/baton/tck/FaultyStore.java", // draws a number
            "dev/baton/demo/Child.java",
            "dev/baton/cli/demo/Progress.java",
            "dev/baton/demo/SqliteKeyValue.java");

    @ParameterizedTest
    @EnumSource
    void call_outsideItsPlaces_isForbidden(Ban ban) {
        assertThat(uses(ban)
                        .filter(access -> !ban.allows(access.getOriginOwner()))
                        .map(JavaAccess::getDescription))
                .as("%s is forbidden outside %s. Instead: %s", ban, ban.places(), ban.instead())
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void place_thatNeedsItsExceptionNoMore_isDeleted(Ban ban) {
        List<JavaClass> users = uses(ban).map(JavaAccess::getOriginOwner).toList();
        assertThat(ban.places().stream().filter(place -> users.stream().noneMatch(user -> Ban.isIn(user, place))))
                .as("%s: delete the places that do not use it any more from Ban", ban)
                .isEmpty();
    }

    private static Stream<JavaAccess<?>> uses(Ban ban) {
        return Compiled.main().stream()
                .<JavaAccess<?>>flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(ban::isOn);
    }

    @Test
    void synchronized_outsideItsPlaces_isForbidden() {
        List<String> found = Sources.parse(Sources.mainFiles()).synchronizedPlaces();
        assertThat(found.stream().filter(place -> SYNCHRONIZED.stream().noneMatch(place::contains)))
                .as("synchronized pins virtual threads before JDK 24: use a ReentrantLock")
                .isEmpty();
        assertThat(SYNCHRONIZED.stream().filter(file -> found.stream().noneMatch(place -> place.contains(file))))
                .as("delete the files that are not synchronized any more from ForbiddenCallsHouseTest.SYNCHRONIZED")
                .isEmpty();
    }
}
