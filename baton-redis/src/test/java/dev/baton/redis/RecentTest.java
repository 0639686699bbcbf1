package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.spi.CommandNumber;
import dev.baton.spi.Release;
import dev.baton.spi.Resource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final Recent<Release> recent = new Recent<>(nanos::get);

    private void release(long token) {
        recent.add(new Release(Resource.lock("a"), token, token, CommandNumber.of(token)));
    }

    private List<Long> kept() {
        return recent.all((release, age) -> release).stream()
                .map(Release::token)
                .toList();
    }

    @Test
    void releases_areKeptInTheirOrder_forTheirTime() {
        release(1);
        nanos.addAndGet(Recent.KEPT_NANOS);
        release(2);
        assertThat(kept()).containsExactly(1L, 2L);
        nanos.addAndGet(1);
        assertThat(kept()).containsExactly(2L);
        nanos.addAndGet(Recent.KEPT_NANOS);
        assertThat(kept()).isEmpty();
    }

    @Test
    void nameThatIsKept_isKeptForTheRestOfItsTime() {
        Release keeping = new Release(Resource.lock("a"), 1, 1, CommandNumber.of(1), false, 25_000_000);
        assertThat(RecentEnds.after(keeping, 20_000_000_000L).keepMicros()).isEqualTo(5_000_000);
        assertThat(RecentEnds.after(keeping, 26_000_000_000L).keepMicros()).isZero();
        recent.add(keeping);
        nanos.addAndGet(1_000_000_000);
        assertThat(recent.all(RecentEnds::after))
                .extracting(Release::keepMicros)
                .containsExactly(24_000_000L);
    }

    @Test
    void ofManyReleases_theLastAreKept() {
        LongStream.rangeClosed(1, 2L * Recent.KEPT + 7).forEach(this::release);
        assertThat(kept()).hasSize(Recent.KEPT).startsWith(Recent.KEPT + 8L).endsWith(2L * Recent.KEPT + 7);
    }
}
