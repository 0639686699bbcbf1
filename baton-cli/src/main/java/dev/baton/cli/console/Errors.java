package dev.baton.cli.console;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Error reports: JSON for programs, stack traces for users who look for the cause. */
public final class Errors {
    private Errors() {}

    /**
     * Returns the JSON object that replaces a result.
     *
     * @param message one line
     * @param exitCode the exit code of the process
     * @return as {@link Terminal#json} takes it
     */
    public static Map<String, Object> json(String message, int exitCode) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("error", message);
        json.put("exitCode", exitCode);
        return json;
    }

    /**
     * Prints a stack trace. Messages may contain text of servers and users, so each line is made printable.
     *
     * @param error what was thrown
     * @param err where to print it
     */
    public static void printStackTrace(Throwable error, Terminal err) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text, true));
        text.toString().lines().forEach(line -> {
            String indent = line.startsWith("\t") ? "\t" : "";
            err.out().println(indent + Printable.of(line.substring(indent.length())));
        });
    }
}
