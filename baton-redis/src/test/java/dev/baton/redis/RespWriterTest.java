package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands, byte for byte. */
class RespWriterTest {
    private static final int MANY = 100_000;

    private final RespWriter writer = new RespWriter();

    private byte[] written() {
        return Arrays.copyOf(writer.bytes(), writer.size());
    }

    private String text() {
        return new String(written(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void command_ofWordsAndNumbers_isAnArrayOfBulks() {
        writer.command(3).bulk("SET").bulk("é").bulk(10);
        assertThat(written()).asString(StandardCharsets.UTF_8).isEqualTo("*3\r\n$3\r\nSET\r\n$2\r\né\r\n$2\r\n10\r\n");
    }

    @Test
    void emptyArgument_isThere() {
        writer.command(1).bulk("");
        assertThat(text()).isEqualTo("*1\r\n$0\r\n\r\n");
    }

    @Test
    void twoParts_areOneArgument() {
        writer.bulk(new byte[] {'a', 'b'}, new byte[] {'c'});
        assertThat(text()).isEqualTo("$3\r\nabc\r\n");
    }

    @Test
    void rawBytes_areLeftAlone() {
        writer.raw(new byte[] {'P', 0, (byte) 0xFF});
        assertThat(written()).containsExactly('P', 0, 0xFF);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 1_234_567_890, (1L << 53) - 1, Long.MAX_VALUE})
    void number_isWrittenInDigits(long number) {
        String digits = Long.toString(number);
        writer.bulk(number);
        assertThat(text()).isEqualTo("$" + digits.length() + "\r\n" + digits + "\r\n");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE})
    void negativeNumber_isRefused(long number) {
        assertThatThrownBy(() -> writer.bulk(number))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Long.toString(number));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, -1, 255, 256, 1_700_000_000_000_000L, (1L << 53) - 1, -(1L << 53) + 1})
    void packedNumber_isALittleEndianDouble(long number) {
        writer.begin(1 + Double.BYTES).part(new byte[] {'x'}).part(number).end();
        assertThat(text()).startsWith("$9\r\nx").endsWith("\r\n");
        assertThat(writer.size()).isEqualTo("$9\r\nx".length() + Double.BYTES + 2);
        double packed =
                ByteBuffer.wrap(writer.bytes()).order(ByteOrder.LITTLE_ENDIAN).getDouble(5);
        assertThat((long) packed).isEqualTo(number);
    }

    @Test
    void longCommands_growTheBuffer_andKeepWhatIsThere() {
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            writer.bulk(i).part(new byte[i % 7]).bulk("x".repeat(i % 50));
            expected.append("$")
                    .append(Integer.toString(i).length())
                    .append("\r\n")
                    .append(i)
                    .append("\r\n");
            expected.append("\0".repeat(i % 7));
            expected.append("$")
                    .append(i % 50)
                    .append("\r\n")
                    .append("x".repeat(i % 50))
                    .append("\r\n");
        }
        assertThat(text()).isEqualTo(expected.toString());
    }

    @Test
    void bigArgument_isWrittenAsAWhole() {
        byte[] big = new byte[MANY];
        Arrays.fill(big, (byte) 'b');
        writer.bulk("a").bulk(big);
        assertThat(text()).isEqualTo("$1\r\na\r\n$" + MANY + "\r\n" + "b".repeat(MANY) + "\r\n");
    }

    @Test
    void whatIsTakenBack_isGone() {
        writer.command(1).bulk("PING");
        int size = writer.size();
        writer.command(1).bulk("x".repeat(MANY));
        writer.truncate(size);
        writer.command(1).bulk("QUIT");
        assertThat(text()).isEqualTo("*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nQUIT\r\n");
    }

    /** Tries every number of bytes before it, so that the buffer ends at every place within. */
    @Test
    void commandAtTheEndOfTheBuffer_isWhole() {
        int start = new RespWriter().bytes().length;
        for (int before = start - 60; before <= start; before++) {
            RespWriter other = new RespWriter();
            other.raw(new byte[before])
                    .command(2)
                    .bulk(Long.MAX_VALUE)
                    .begin(8)
                    .part(1L)
                    .end();
            assertThat(Arrays.copyOfRange(other.bytes(), before, other.size()))
                    .asString(StandardCharsets.ISO_8859_1)
                    .isEqualTo("*2\r\n$19\r\n9223372036854775807\r\n$8\r\n\0\0\0\0\0\0\u00F0?\r\n");
        }
    }
}
