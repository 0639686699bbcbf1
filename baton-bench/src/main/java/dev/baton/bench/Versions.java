package dev.baton.bench;

import java.security.CodeSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads versions of libraries from the names of their jars. */
final class Versions {
    private static final Pattern JAR = Pattern.compile(".*/([^/]+?)-(\\d[^/]*)\\.jar");

    private Versions() {}

    /** Returns the libraries of a contestant with their versions, such as "redisson 4.7.0". */
    static String of(Contestant contestant) {
        return contestant.setup().libraries().stream().map(Versions::of).collect(Collectors.joining(", "));
    }

    static String of(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            return java();
        }
        Matcher jar = JAR.matcher(source.getLocation().getPath());
        return jar.matches() ? jar.group(1) + Lines.GLUE + jar.group(2) : "this" + Lines.GLUE + "checkout";
    }

    static String java() {
        return "JDK" + Lines.GLUE + Runtime.version();
    }
}
