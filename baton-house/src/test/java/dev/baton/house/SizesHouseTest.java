package dev.baton.house;

import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** No main file and no main method becomes too long to read in one go. */
class SizesHouseTest {
    private static final int METHOD_LINES = 60;
    private static final int SHOWN = 10;

    private record Size(String place, long lines) {
        @Override
        public String toString() {
            return lines + " " + place;
        }
    }

    @Test
    void method_isShorterThanItsLimit() {
        check(
                METHOD_LINES,
                "give its steps names",
                Sources.parse(Sources.mainFiles()).methods().stream()
                        .map(method -> new Size(method.place() + " " + method.name(), method.lines()))
                        .toList());
    }

    private static void check(int limit, String instead, List<Size> sizes) {
        List<Size> longest = sizes.stream()
                .sorted(comparing(Size::lines).reversed())
                .limit(SHOWN)
                .toList();
        assertThat(longest)
                .as("%d lines or more are too many: %s. The longest: %s", limit, instead, longest)
                .isNotEmpty()
                .allMatch(size -> size.lines() < limit);
    }
}
