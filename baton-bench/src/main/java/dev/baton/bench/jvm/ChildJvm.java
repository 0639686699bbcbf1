package dev.baton.bench.jvm;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** A child JVM that reads requests on its standard input and answers each with one line. For one thread at a time. */
public final class ChildJvm implements AutoCloseable {
    /** The field of a request that names it. */
    public static final String WHAT = "what";

    /** The field of a reply that says why there is no answer. */
    public static final String FAILED = "failed";

    /** The options of each JVM, the same for all contestants. */
    private static final List<String> OPTIONS = List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED");

    private static final List<String> OPTIONS_BEFORE_22 = List.of("-Xmx512m");
    private static final int FIRST_WITH_NATIVE_ACCESS = 22;
    private static final long END_SECONDS = 15;
    private static final int TAIL_LINES = 20;
    private static final String ENDED = "";

    private final Process process;
    private final Path errors;
    private final Writer questions;
    private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(4);

    private ChildJvm(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        this.questions = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread reader = new Thread(this::read, "bench-child-" + process.pid());
        reader.setDaemon(true); // the thread ends when the child's output ends
        reader.start();
    }

    /**
     * Starts a JVM with the class path of this one.
     *
     * @param program has the main method, which calls {@link Answers#serve}
     * @param environment variables in addition to those of this JVM
     */
    public static ChildJvm start(Class<?> program, Map<String, String> environment) throws IOException {
        Path errors = Files.createTempFile("baton-bench-", ".log");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Runtime.version().feature() < FIRST_WITH_NATIVE_ACCESS ? OPTIONS_BEFORE_22 : OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        return new ChildJvm(builder.start(), errors);
    }

    private void read() {
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                answers.put(line);
            }
        } catch (IOException | InterruptedException over) {
            // The child or this JVM ends.
        }
        answers.offer(ENDED);
    }

    /**
     * Sends a request and waits for the reply.
     *
     * @param patience how long the reply may take. The child must time out first, because its message says more
     * @throws IllegalStateException if the reply is a failure or does not come; the JVM must not be used again
     */
    public Message ask(String what, Message with, Duration patience) throws Exception {
        try {
            questions.write(with.with(WHAT, what).line() + '\n');
            questions.flush();
        } catch (IOException e) {
            throw new IOException("a client's JVM has ended: " + tail(), e);
        }
        String answer = answers.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (answer == null) {
            throw new IllegalStateException("a client's JVM did not answer within " + patience.toSeconds() + " s");
        }
        if (answer.equals(ENDED)) {
            throw new IllegalStateException("a client's JVM has ended: " + tail());
        }
        Message message = Message.parse(answer);
        if (message.has(FAILED)) {
            throw new IllegalStateException(message.text(FAILED));
        }
        return message;
    }

    /** Sends SIGKILL, and waits for the end. */
    public void kill() {
        process.destroyForcibly();
        process.onExit().orTimeout(END_SECONDS, TimeUnit.SECONDS).join();
    }

    /**
     * Sends another signal.
     *
     * @param name such as STOP and CONT: a JVM that is stopped keeps its connections
     */
    public void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("signal " + name + " did not reach a client's JVM");
        }
    }

    private String tail() {
        try {
            List<String> lines = Files.readString(errors).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "what it said is lost: " + e;
        }
    }

    /** Closes the input of the child, which ends it. */
    @Override
    public void close() {
        try {
            try {
                questions.close();
            } catch (IOException alreadyOver) {
                // The child has already ended.
            }
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Files.deleteIfExists(errors);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
