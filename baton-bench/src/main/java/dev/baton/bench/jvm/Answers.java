package dev.baton.bench.jvm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The child's end of a {@link ChildJvm}: it reads one request a line and writes one reply a line, both JSON objects. */
public final class Answers {
    /** Answers requests. */
    @FunctionalInterface
    public interface Answering {
        /**
         * Answers a request.
         *
         * @param question the request; {@link ChildJvm#WHAT} names it
         * @throws Exception becomes the reply: its message
         */
        Message answer(Message question) throws Exception;
    }

    private Answers() {}

    /**
     * Answers requests until the standard input ends, and then ends this JVM.
     *
     * @param closing runs last
     * @throws IOException if the output is closed
     */
    public static void serve(Answering answering, Runnable closing) throws IOException {
        PrintStream out = System.out;
        // Output of libraries must not mix with the replies.
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(reply(answering, Message.parse(line)).line());
            out.flush();
        }
        closing.run();
        System.exit(0);
    }

    private static Message reply(Answering answering, Message question) {
        try {
            return answering.answer(question);
        } catch (Exception e) {
            e.printStackTrace();
            return Message.of(Map.of(ChildJvm.FAILED, String.valueOf(e.getMessage() == null ? e : e.getMessage())));
        }
    }
}
