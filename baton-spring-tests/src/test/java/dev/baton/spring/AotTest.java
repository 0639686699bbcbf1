package dev.baton.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/** An application that Spring has processed ahead of time: its beans and proxies are classes before it starts. */
class AotTest {
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    Path directory;

    @Test
    void applicationThatWasProcessedAheadOfTime_locksItsMethods_withoutMakingClassesAtRunTime() throws Exception {
        Path sources = directory.resolve("sources");
        Path classes = Files.createDirectories(directory.resolve("classes"));
        java(
                CLASS_PATH,
                List.of(),
                SpringApplicationAotProcessor.class.getName(),
                AotApplication.class.getName(),
                sources.toString(),
                directory.resolve("resources").toString(),
                classes.toString(),
                "dev.baton",
                "aot",
                "--baton.uri=memory://of-the-build");
        compile(sources, classes);
        String aot = String.join(
                System.getProperty("path.separator"),
                classes.toString(),
                directory.resolve("resources").toString(),
                CLASS_PATH);
        String output = java(
                aot,
                List.of("-Dspring.aot.enabled=true"),
                AotApplication.class.getName(),
                "--baton.uri=memory://of-the-run",
                "--baton.connect-timeout=20s");
        assertThat(output.lines())
                .contains(
                        "LOCKED", "LOCKED UNTIL TERMINATION", "LOCKED AROUND A TRANSACTION", "RAN A JOB", "HELD true", "HEALTH true")
                .anySatisfy(line -> assertThat(line).startsWith("PROXY ").endsWith(" FROM " + classes + "/"));
        assertThat(output).contains("Starting AOT-processed AotApplication");
    }

    private void compile(Path sources, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("-d", classes.toString(), "-cp", classes + System.getProperty("path.separator") + CLASS_PATH));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        int result = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        assertThat(result).as("javac's exit code for %s", sources).isZero();
    }

    /** Runs a program to its end, which must be a good one, and returns its output. */
    private String java(String classPath, List<String> options, String main, String... arguments)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "output", ".txt");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-cp", classPath));
        command.addAll(options);
        command.add(main);
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(120, TimeUnit.SECONDS);
            assertThat(ended && process.exitValue() == 0)
                    .as("%s ends well:%n%s", main, Files.readString(output))
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }
}
