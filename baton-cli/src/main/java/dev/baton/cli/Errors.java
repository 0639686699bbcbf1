package dev.baton.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What went wrong, for programs and for those who look for the cause. */
public final class Errors {
    private Errors() {}

    /**
     * In place of a result.
     *
     * @param message one line
     * @param exitCode what the process answers to its caller
     * @return as {@link Terminal#json} takes it
     */
    public static Map<String, Object> json(String message, int exitCode) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("error", message);
        json.put("exitCode", exitCode);
        return json;
    }

    /** Messages have what servers and users wrote: printed only as printable. */
    static void printStackTrace(Throwable error, Terminal err) {
        StringWriter text = new StringWriter();
        error.printStackTrace(new PrintWriter(text, true));
        text.toString().lines().forEach(line -> {
            String indent = line.startsWith("\t") ? "\t" : "";
            err.out().println(indent + Printable.of(line.substring(indent.length())));
        });
    }
}
