package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.redis.RespReader.Nil;
import dev.baton.redis.RespReader.RespError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers, cut into any pieces. */
class RespReaderTest {
    private static final String UNICODE = "é✓";

    private final Pieces wire = new Pieces();
    private RespReader reader = new RespReader();

    /** Delivers the bytes in the given pieces. */
    private static final class Pieces implements Wire {
        private byte[] piece = {};
        private int at;

        @Override
        public int receive(byte[] into, int offset, int length, long nanos) {
            int count = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, into, offset, count);
            at += count;
            return count;
        }

        @Override
        public void send(byte[] bytes, int length) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String runId() {
            return "";
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the answers that are complete after some more bytes. */
    private List<Object> read(byte[] all, int from, int to) throws IOException {
        wire.piece = java.util.Arrays.copyOfRange(all, from, to);
        wire.at = 0;
        List<Object> answers = new ArrayList<>();
        while (reader.fill(wire, 1)) {
            for (Object answer = reader.next(); answer != null; answer = reader.next()) {
                answers.add(plain(answer));
            }
        }
        assertThat(reader.next()).isNull();
        return answers;
    }

    private List<Object> read(String text) throws IOException {
        byte[] all = bytes(text);
        return read(all, 0, all.length);
    }

    /** Replaces bytes by texts, which are equal if their contents are the same. */
    private static Object plain(Object answer) {
        if (answer instanceof List<?> list) {
            return list.stream().map(RespReaderTest::plain).toList();
        }
        return answer instanceof byte[] raw ? "bulk " + new String(raw, StandardCharsets.UTF_8) : answer;
    }

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of("+OK\r\n", "OK"),
                Arguments.of("+\r\n", ""),
                Arguments.of("+" + UNICODE + "\r\n", UNICODE),
                Arguments.of("-ERR no\r\n", new RespError("ERR no")),
                Arguments.of(":0\r\n", 0L),
                Arguments.of(":1234567890123\r\n", 1_234_567_890_123L),
                Arguments.of(":-42\r\n", -42L),
                Arguments.of(":9223372036854775807\r\n", Long.MAX_VALUE),
                Arguments.of(":-9223372036854775808\r\n", Long.MIN_VALUE),
                Arguments.of("$0\r\n\r\n", "bulk "),
                Arguments.of("$5\r\nhello\r\n", "bulk hello"),
                Arguments.of("$4\r\n\r\n\r\n\r\n", "bulk \r\n\r\n"),
                Arguments.of("$5\r\n" + UNICODE + "\r\n", "bulk " + UNICODE),
                Arguments.of("$-1\r\n", Nil.NIL),
                Arguments.of("*-1\r\n", Nil.NIL),
                Arguments.of("*0\r\n", List.of()),
                Arguments.of("*2\r\n:1\r\n$1\r\na\r\n", List.of(1L, "bulk a")),
                Arguments.of(
                        "*3\r\n*1\r\n$-1\r\n-ERR\r\n*2\r\n+a\r\n*0\r\n",
                        List.of(List.of(Nil.NIL), new RespError("ERR"), List.of("a", List.of()))),
                // RESP3.
                Arguments.of("_\r\n", Nil.NIL),
                Arguments.of("#t\r\n", 1L),
                Arguments.of("#f\r\n", 0L),
                Arguments.of(",-1.5e3\r\n", "-1.5e3"),
                Arguments.of("(12345678901234567890123\r\n", "12345678901234567890123"),
                Arguments.of("!5\r\nERR x\r\n", new RespError("ERR x")),
                Arguments.of("=5\r\ntxt:a\r\n", "bulk txt:a"),
                Arguments.of("%1\r\n+a\r\n:1\r\n", List.of("a", 1L)),
                Arguments.of("~2\r\n:1\r\n:2\r\n", List.of(1L, 2L)),
                Arguments.of(">2\r\n+message\r\n%0\r\n", List.of("message", List.of())));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void answer_splitAnywhere_isTheSame(String text, Object expected) throws IOException {
        byte[] all = bytes(text);
        assertThat(read(all, 0, all.length)).containsExactly(expected);
        for (int split = 1; split < all.length; split++) {
            assertThat(read(all, 0, split)).as("the first %d bytes", split).isEmpty();
            assertThat(read(all, split, all.length)).as("split at %d", split).containsExactly(expected);
        }
    }

    @Test
    void allAnswers_inARow_inPiecesOfAnySize_areTheSame() throws IOException {
        StringBuilder text = new StringBuilder();
        List<Object> expected = new ArrayList<>();
        answers().forEach(each -> {
            text.append(each.get()[0]);
            expected.add(each.get()[1]);
        });
        byte[] all = bytes(text.toString());
        for (int size = 1; size <= all.length; size++) {
            List<Object> answers = new ArrayList<>();
            for (int from = 0; from < all.length; from += size) {
                answers.addAll(read(all, from, Math.min(all.length, from + size)));
            }
            assertThat(answers).as("in pieces of %d", size).isEqualTo(expected);
        }
    }

    @Test
    void bigBulks_betweenSmallAnswers_comeWhole() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        StringBuilder text = new StringBuilder();
        List<Object> expected = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String big = Integer.toString(i % 10).repeat(random.nextInt(120_000));
            text.append("*2\r\n:")
                    .append(i)
                    .append("\r\n$")
                    .append(big.length())
                    .append("\r\n")
                    .append(big);
            text.append("\r\n+").append(i).append("\r\n");
            expected.add(List.of((long) i, "bulk " + big));
            expected.add(Integer.toString(i));
        }
        byte[] all = bytes(text.toString());
        List<Object> answers = new ArrayList<>();
        for (int from = 0; from < all.length; ) {
            int to = Math.min(all.length, from + 1 + random.nextInt(30_000));
            answers.addAll(read(all, from, to));
            from = to;
        }
        assertThat(answers).isEqualTo(expected);
    }

    @Test
    void longLine_growsTheBuffer() throws IOException {
        String line = "x".repeat(100_000);
        assertThat(read("+" + line + "\r\n:1\r\n")).containsExactly(line, 1L);
    }

    @Test
    void manySmallAnswers_beforeAnIncompleteOne_areNotKept() throws IOException {
        for (int i = 0; i < 5_000; i++) {
            assertThat(read("+" + "y".repeat(i % 100) + "\r\n:" + i)).containsExactly("y".repeat(i % 100));
            assertThat(read("\r\n")).containsExactly((long) i);
        }
    }

    @Test
    void nothing_isNoAnswer() throws IOException {
        assertThat(reader.next()).isNull();
        assertThat(read("")).isEmpty();
        assertThat(read("+OK\r\n")).containsExactly("OK");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 400 Bad Request\r\n",
                "SSH-2.0-OpenSSH_9\r\n",
                "\u0015\u0003\u0003\u0000\u0002\u0002(",
                "\r\n",
                "\u0000"
            })
    void anotherService_isNamedAsThat(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not an answer of Redis")
                .hasMessageContaining("the port of another service, or of TLS");
    }

    @ParameterizedTest
    @ValueSource(strings = {":12a\r\n", "$x\r\n", "*1.5\r\n", ":--1\r\n"})
    void numberThatIsNone_isRefused(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not an answer of Redis")
                .hasMessageContaining("digit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"$999999999\r\n", "*999999999\r\n", "$268435457\r\n"})
    void sizeThatIsAbsurd_isRefusedBeforeItComes(String text) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("not an answer of Redis");
    }

    /** Other publishers' messages may have any size. The reader skips them as they arrive, and they cost no memory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 4_096, 100_000, 2_000_000})
    void messageThatIsTooLarge_isPassedOver_inPiecesOfAnySize(int pieces) throws IOException {
        reader = new RespReader(10);
        byte[] all = bytes("+a\r\n" + message("0123456789") + message("x".repeat(11)) + "+b\r\n"
                + message("y".repeat(1_000_000)) + message("ok") + message("\r\n".repeat(6)) + "+c\r\n");
        List<Object> answers = new ArrayList<>();
        for (int from = 0; from < all.length; from += pieces) {
            answers.addAll(read(all, from, Math.min(all.length, from + pieces)));
        }
        assertThat(answers)
                .containsExactly(
                        "a",
                        List.of("bulk message", "bulk 0123456789"),
                        RespReader.Large.LARGE,
                        "b",
                        RespReader.Large.LARGE,
                        List.of("bulk message", "bulk ok"),
                        RespReader.Large.LARGE,
                        "c");
    }

    private static String message(String text) {
        return "*2\r\n$7\r\nmessage\r\n$" + text.length() + "\r\n" + text + "\r\n";
    }

    @Test
    void nestingThatIsAbsurd_isRefused() throws IOException {
        assertThat(read("*1\r\n".repeat(16) + ":1\r\n")).hasSize(1);
        assertThatThrownBy(() -> read("*1\r\n".repeat(17) + ":1\r\n"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nested");
    }
}
