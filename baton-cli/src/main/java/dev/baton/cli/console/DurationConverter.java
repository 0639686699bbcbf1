package dev.baton.cli.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A time as a user types it: {@code 10} and {@code 0.5} in seconds, {@code 500ms}, {@code 2m}, {@code PT1H}. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ms|s|m|h|d|)");

    @Override
    public Duration convert(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (matcher.matches()) {
            BigDecimal unit = BigDecimal.valueOf(nanosOf(matcher.group(2)));
            BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(unit);
            return Duration.ofNanos(
                    nanos.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue());
        }
        try {
            Duration parsed = Duration.parse(text);
            if (!parsed.isNegative()) {
                return parsed;
            }
        } catch (DateTimeParseException notIso) {
            // The exception below reports it.
        }
        throw new TypeConversionException(
                '\'' + text + "' is not a time: write seconds (10, 0.5), or a number with ms, s, m, h or d");
    }

    private static long nanosOf(String unit) {
        return switch (unit) {
            case "ms" -> 1_000_000L;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "d" -> 86_400_000_000_000L;
            default -> 1_000_000_000L;
        };
    }

    /**
     * Converts a time back into text for users.
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
