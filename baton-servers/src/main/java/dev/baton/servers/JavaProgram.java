package dev.baton.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in a JVM of its own, with the class path of this one. */
final class JavaProgram {
    private JavaProgram() {}

    /** Returns the command that starts it. */
    static List<String> command(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(options);
        command.add(main);
        command.addAll(List.of(arguments));
        return command;
    }
}
