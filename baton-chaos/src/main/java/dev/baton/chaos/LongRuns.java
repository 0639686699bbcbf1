package dev.baton.chaos;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** What the commands of long runs share: their progress, and what their ends mean. */
final class LongRuns {
    private static final int GROWS = 1;
    private static final int UNCLEAR = 3;

    private LongRuns() {}

    /** Prints a line at once. */
    static void say(PrintWriter to, String line) {
        to.println(line);
        to.flush();
    }

    /** Writes the results, and returns the exit code. */
    static int end(
            CommandLine line,
            Path file,
            String text,
            Map<String, Object> json,
            List<String> defects,
            List<String> unclear)
            throws IOException {
        Files.writeString(file, JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(json) + '\n');
        line.getOut().print(text);
        line.getOut().flush();
        unclear.forEach(
                each -> say(line.getErr(), "baton chaos: too few measurements to tell whether this grows: " + each));
        if (!defects.isEmpty()) {
            return GROWS;
        }
        return unclear.isEmpty() ? CommandLine.ExitCode.OK : UNCLEAR;
    }
}
