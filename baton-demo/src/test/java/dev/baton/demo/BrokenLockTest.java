package dev.baton.demo;

import static dev.baton.demo.BrokenLock.EXPIRY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Shows each lock's fault as an interleaving, and that the next lock in the list does not have it. */
class BrokenLockTest {
    private static final String KEY = "lock";

    private final MapKeyValue server = new MapKeyValue();
    private final List<String> log = new ArrayList<>();

    @Test
    void checkThenSet_letsInTwo_whoBothSawItFree() {
        KeyValue slow = new SlowKeyValue(server, () -> take(BrokenLock::checkThenSet, server, "second"));
        take(BrokenLock::checkThenSet, slow, "first");
        assertThat(log).containsExactly("second", "first");
    }

    @Test
    void setIfAbsent_letsInOne_butForEver() {
        take(BrokenLock::setIfAbsent, server, "first");
        take(BrokenLock::setIfAbsent, server, "second");
        server.pass(EXPIRY.multipliedBy(1_000));
        take(BrokenLock::setIfAbsent, server, "third");
        assertThat(log).containsExactly("first");
    }

    @Test
    void delete_freesTheLockOfTheNext() {
        take(BrokenLock::setIfAbsentForAWhile, server, "first");
        server.pass(EXPIRY);
        take(BrokenLock::setIfAbsentForAWhile, server, "second");
        BrokenLock.delete(server, KEY, "first");
        take(BrokenLock::setIfAbsentForAWhile, server, "third");
        assertThat(log).containsExactly("first", "second", "third");
    }

    @Test
    void compareThenDelete_keepsTheLockOfTheNext_unlessItIsSlowBetweenTheTwo() {
        take(BrokenLock::setIfAbsentForAWhile, server, "first");
        KeyValue slow = new SlowKeyValue(server, () -> {
            server.pass(EXPIRY);
            take(BrokenLock::setIfAbsentForAWhile, server, "second");
            BrokenLock.compareThenDelete(server, KEY, "first");
            take(BrokenLock::setIfAbsentForAWhile, server, "too early");
        });
        BrokenLock.compareThenDelete(slow, KEY, "first");
        take(BrokenLock::setIfAbsentForAWhile, server, "third");
        assertThat(log).containsExactly("first", "second", "third");
    }

    @Test
    void compareAndDelete_keepsTheLockOfTheNext_butTheFirstIsNotToldThatItsTimeIsOver() throws Exception {
        BrokenLock lock = new BrokenLock(server, BrokenLock::setIfAbsentForAWhile, BrokenLock::compareAndDelete);
        ShopLock.Hold first = lock.acquire();
        server.pass(EXPIRY);
        ShopLock.Hold second = lock.acquire();
        assertThat(first.believed()).isTrue();
        assertThat(second.believed()).isTrue();
        first.release();
        assertThat(server.get(KEY)).isPresent();
        second.release();
        assertThat(server.get(KEY)).isEmpty();
    }

    private void take(BrokenLock.Take take, KeyValue through, String who) {
        if (take.tryTake(through, KEY, who)) {
            log.add(who);
        }
    }
}
