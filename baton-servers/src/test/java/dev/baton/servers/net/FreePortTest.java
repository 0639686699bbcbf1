package dev.baton.servers.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

class FreePortTest {
    private static final int DISTANCE = 10_000;
    private static final int LAST = 31_999;

    @Test
    void portWithASecondOne_isFreeOnlyWithIt() throws IOException {
        for (int i = 0; i < 20; i++) {
            int port = FreePort.next(DISTANCE);
            // The next one, if its second port were free.
            int next = port + 1;
            if (next + DISTANCE <= LAST && isFree(next) && isFree(next + DISTANCE)) {
                try (ServerSocket taken = listen(next + DISTANCE)) {
                    assertThat(taken.isBound()).isTrue();
                    assertThat(FreePort.next(DISTANCE)).isNotEqualTo(next);
                }
            }
        }
    }

    @Test
    void portWithASecondOne_isFarEnoughBelowTheLast() {
        for (int i = 0; i < 20; i++) {
            assertThat(FreePort.next(2 * DISTANCE) + 2 * DISTANCE).isLessThanOrEqualTo(LAST);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = listen(port)) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }
}
