package dev.baton.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.chaos.report.Scale.Bar;
import dev.baton.chaos.report.Scale.Span;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleTest {
    private final Scale scale = new Scale(1_000, 2_000, 50, 150);

    @Test
    void timesLieToScale() {
        assertThat(scale.place(1_000)).isEqualTo(50);
        assertThat(scale.place(1_250)).isEqualTo(75);
        assertThat(scale.place(2_000)).isEqualTo(150);
    }

    @Test
    void timesOutsideLieAtTheEnds() {
        assertThat(scale.place(0)).isEqualTo(50);
        assertThat(scale.place(Long.MAX_VALUE)).isEqualTo(150);
    }

    @Test
    void spansOutsideAreLeftOut() {
        assertThat(scale.bars(List.of(new Span(0, 999), new Span(2_001, 3_000), new Span(1_400, 1_500))))
                .containsExactly(new Bar(90, 100));
    }

    @Test
    void aShortSpanCanBeSeen() {
        assertThat(scale.bars(List.of(new Span(1_500, 1_500)))).containsExactly(new Bar(100, 101));
    }

    @Test
    void spansThatTouchAreOneBarAndOthersAreNot() {
        assertThat(scale.bars(List.of(new Span(1_203, 1_300), new Span(1_100, 1_200), new Span(1_400, 1_500))))
                .containsExactly(new Bar(60, 80), new Bar(90, 100));
    }

    @Test
    void aShorterSpanInsideALongerOneDoesNotCutIt() {
        assertThat(scale.bars(List.of(new Span(1_100, 1_900), new Span(1_200, 1_300))))
                .containsExactly(new Bar(60, 140));
    }

    @Test
    void ticksAreRoundAndFew() {
        assertThat(scale.step()).isEqualTo(100);
        assertThat(new Scale(0, 1_100, 0, 1).step()).isEqualTo(200);
        assertThat(new Scale(0, 86_400_000_000_000L, 0, 1).step()).isEqualTo(10_000_000_000_000L);
    }

    @Test
    void aPathHasARectangleForEachBar() {
        assertThat(Scale.path(List.of(new Bar(1, 3), new Bar(4.25, 5)), 10, 8))
                .isEqualTo("M1 10h2v8h-2zM4.3 10h0.8v8h-0.8z");
    }
}
