package dev.baton.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.servers.net.FreePort;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Passwords as users write them, with and without the required percent signs: none is ever shown. */
class RedisSecretsTest {
    private static final String SECRET = "xYzZy";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xYzZy",
                "a%40xYzZy%2F",
                "a@xYzZy",
                "a/xYzZy",
                "12/xYzZy",
                "a?xYzZy",
                "12?xYzZy=1",
                "a#xYzZy",
                "12#xYzZy",
                "a%zzxYzZy",
                "a b/xYzZy",
                "a[xYzZy",
                "a\\xYzZy",
                "a:xYzZy:b"
            })
    void password_howeverItIsWritten_isShownNowhere(String password) throws IOException {
        int closed = FreePort.next();
        BatonOptions quick =
                BatonOptions.builder().connectTimeout(Duration.ofMillis(500)).build();
        try (Logs logs = new Logs()) {
            for (String scheme : new String[] {"redis", "rediss", "redos", "redis+sentinel", "rediss+sentinel"}) {
                for (String end : new String[] {
                    "@127.0.0.1:" + closed + "/0",
                    "@127.0.0.1:port",
                    "@under_score",
                    "@127.0.0.1:" + closed + ",127.0.0.1/name/0?ca=x"
                }) {
                    Throwable refused =
                            catchThrowable(() -> Baton.connect(scheme + "://user:" + password + end, quick));
                    assertThat(refused).isNotNull();
                    assertThat(Logs.trace(refused)).as(end).doesNotContainIgnoringCase(SECRET);
                }
            }
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "xYzZy",
                "a%40xYzZy",
                "a@xYzZy",
                "a/xYzZy",
                "a?xYzZy",
                "a&xYzZy",
                "a&xYzZy=1",
                "a#xYzZy",
                "a>xYzZy"
            })
    void passwordOfSentinels_howeverItIsWritten_isShownNowhere(String password) throws IOException {
        String sentinels = "redis+sentinel://127.0.0.1:" + FreePort.next() + "/name?sentinelUser=u&sentinelPassword=";
        try (Logs logs = new Logs()) {
            Throwable refused = catchThrowable(() -> Baton.connect(sentinels + password));
            assertThat(refused).isNotNull();
            assertThat(Logs.trace(refused)).doesNotContainIgnoringCase(SECRET);
            assertThat(logs.all()).noneMatch(line -> line.contains(SECRET));
        }
    }
}
