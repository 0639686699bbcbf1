package dev.baton.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as people type it: {@code 10} and {@code 0.5} in seconds, {@code 500ms}, {@code 2m}, {@code PT1H}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ms|s|m|h|d|)");
    private static final Map<String, Long> MILLIS =
            Map.of("ms", 1L, "s", 1_000L, "", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

    @Override
    public Duration convert(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            BigDecimal millis = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(MILLIS.get(matcher.group(2))));
            return Duration.ofNanos(millis.movePointRight(6).longValue());
        }
        try {
            Duration parsed = Duration.parse(text);
            if (!parsed.isNegative()) {
                return parsed;
            }
        } catch (DateTimeParseException notIso) {
            // Said below.
        }
        throw new TypeConversionException(
                '\'' + text + "' is not a time: write seconds (10, 0.5), or a number with ms, s, m, h or d");
    }

    /**
     * The other way round, for people.
     *
     * @param time not negative
     * @return such as {@code 250ms}, {@code 1.5s} or {@code 3m20s}
     */
    public static String text(Duration time) {
        long millis = time.toMillis();
        if (millis < 1_000) {
            return millis + "ms";
        }
        if (millis < 60_000) {
            return millis / 1_000 + (millis < 10_000 ? "." + millis % 1_000 / 100 : "") + "s";
        }
        long seconds = millis / 1_000;
        return seconds < 3_600
                ? seconds / 60 + "m" + seconds % 60 + "s"
                : seconds / 3_600 + "h" + seconds % 3_600 / 60 + "m";
    }
}
