package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.baton.Baton;
import dev.baton.BatonOptions;
import dev.baton.servers.MariaServer;
import dev.baton.servers.PostgresServer;
import dev.baton.spi.Timings;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every form of address of every driver, with a password, and every way in which connecting fails. */
class SecretsTest {
    private static final String SECRET = "geheim";

    /** {@code HOST} and {@code PORT} stand for the server. */
    private static final List<String> FORMS = List.of(
            "jdbc:postgresql://HOST:PORT/db?user=u&password=geheim",
            "jdbc:postgresql://HOST:PORT,HOST:PORT/db?user=u&password=geheim&targetServerType=primary",
            "jdbc:postgresql://HOST:PORT/db?password=geheim&user=u@geheim",
            "jdbc:postgresql://HOST:PORT/db?user=u&sslpassword=geheim&sslmode=disable",
            "jdbc:postgresql://u:geheim@HOST:PORT/db",
            "jdbc:postgresql://HOST:PORT/db?user=u&password=%67eheim",
            "jdbc:mysql://HOST:PORT/db?user=u&password=geheim",
            "jdbc:mysql://u:geheim@HOST:PORT/db",
            "jdbc:mysql://u:geheim@HOST:PORT,v:geheim@HOST:PORT/db",
            "jdbc:mysql://u:ge?geheim@HOST:PORT/db",
            "jdbc:mysql://(host=HOST,port=PORT,user=u,password=geheim)/db",
            "jdbc:mysql://address=(host=HOST)(port=PORT)(user=u)(password=geheim)/db",
            "jdbc:mysql://[(host=HOST,port=PORT,password=geheim),(host=HOST,port=PORT,password=geheim)]/db",
            "jdbc:mysql:loadbalance://u:geheim@HOST:PORT,HOST:PORT/db?retriesAllDown=1",
            "jdbc:mysql:replication://HOST:PORT,HOST:PORT/db?user=u&password=geheim&retriesAllDown=1",
            "jdbc:mysql://HOST:PORT/db?user=u&trustCertificateKeyStorePassword=geheim&sslMode=VERIFY_CA",
            "jdbc:mysql://HOST:PORT/db?user=u&password1=geheim",
            "jdbc:mariadb://HOST:PORT/db?user=u&password=geheim",
            "jdbc:mariadb://u:geheim@HOST:PORT/db",
            "jdbc:mariadb:replication://HOST:PORT,HOST:PORT/db?user=u&password=geheim&retriesAllDown=1",
            "jdbc:mariadb://address=(host=HOST)(port=PORT)(type=master)/db?user=u&password=geheim",
            "jdbc:mariadb://HOST:PORT/db?user=u&keyStorePassword=geheim&trustStorePassword=geheim",
            "jdbc:h2:tcp://HOST:PORT/mem:db;USER=u;PASSWORD=geheim",
            "jdbc:h2:tcp://HOST:PORT,HOST:PORT/mem:db;PASSWORD=ge@geheim;USER=u",
            "jdbc:h2:ssl://HOST:PORT/mem:db;USER=u;PASSWORD=geheim geheim");

    /** How connecting fails. */
    private enum Failing {
        REFUSED {
            @Override
            String of(String form) {
                return form.replace("HOST", "127.0.0.1").replace("PORT", "1");
            }
        },
        UNKNOWN_HOST {
            @Override
            String of(String form) {
                return form.replace("HOST", "nowhere.invalid").replace("PORT", "1");
            }
        },
        SCHEME {
            @Override
            String of(String form) {
                return REFUSED.of(form).replaceFirst("jdbc:[a-z0-9]+", "jdbc:oracle");
            }
        },
        NO_JDBC {
            @Override
            String of(String form) {
                return REFUSED.of(form).replaceFirst("jdbc:", "");
            }
        },
        PORT_IS_NO_NUMBER {
            @Override
            String of(String form) {
                return form.replace("HOST", "127.0.0.1").replace("PORT", "x");
            }
        },
        MALFORMED {
            @Override
            String of(String form) {
                return REFUSED.of(form).replace("/db", "/d b{%zz").replace("/mem:db", "/{%zz");
            }
        },
        NO_SLASHES {
            @Override
            String of(String form) {
                return REFUSED.of(form).replace("//", "");
            }
        },
        HALF {
            @Override
            String of(String form) {
                return REFUSED.of(form).replaceAll("[)\\]]", "") + ";UNKNOWN=1&=";
            }
        };

        abstract String of(String form);
    }

    static Stream<String> addresses() {
        return FORMS.stream().flatMap(form -> Stream.of(Failing.values()).map(failing -> failing.of(form)));
    }

    /** Collects everything that is logged while it is open. */
    private static final class Log extends Handler implements AutoCloseable {
        private final List<String> lines = new CopyOnWriteArrayList<>();
        private final Logger root = Logger.getLogger("");

        Log() {
            setLevel(Level.ALL);
            root.addHandler(this);
        }

        @Override
        public void publish(LogRecord line) {
            lines.add(new SimpleFormatter().format(line));
        }

        @Override
        public void flush() {
            // Nothing is buffered.
        }

        @Override
        public void close() {
            root.removeHandler(this);
        }
    }

    private static String everything(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            text.append(each.toString());
            SQLException next = each instanceof SQLException sql ? sql.getNextException() : null;
            text.append(String.valueOf(next));
        }
        return text.toString();
    }

    private static void failsWithoutSecrets(String address, BatonOptions options) {
        try (Log log = new Log()) {
            Throwable thrown = catchThrowable(() -> Baton.connect(address, options));
            assertThat(thrown).as("what cannot work").isNotNull();
            assertThat(everything(thrown)).doesNotContain(SECRET);
            assertThat(log.lines).allSatisfy(line -> assertThat(line).doesNotContain(SECRET));
            assertThat(Thread.getAllStackTraces().keySet())
                    .allSatisfy(thread -> assertThat(thread.getName()).doesNotContain(SECRET));
        }
    }

    @ParameterizedTest
    @MethodSource("addresses")
    @DisplayName("P22: address_thatCannotBeUsed_isReportedWithoutItsPassword")
    void address_thatCannotBeUsed_isReportedWithoutItsPassword(String address) {
        failsWithoutSecrets(
                address,
                BatonOptions.builder().connectTimeout(Duration.ofMillis(100)).build());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite:/nowhere/locks.db?password=geheim",
                "jdbc:sqlite:/nowhere/locks.db;PASSWORD=geheim",
                "jdbc:sqlite::memory:?password=geheim",
                "jdbc:sqlite:file:/nowhere/x?password=geheim",
                "jdbc:sqlite:/nowhere/x?synchronous=geheim",
                "jdbc:sqlite:\u0000;password=geheim",
                "jdbc:h2:./x;PASSWORD=geheim;UNKNOWN=1",
                "jdbc:h2:relative;PASSWORD=geheim",
                "jdbc:h2:file:/nowhere/../:;PASSWORD=geheim",
                "jdbc:h2:mem:x;PASSWORD=geheim;PASSWORD=other",
                "jdbc:h2:mem:y;PASSWORD=geheim;MODE=geheim",
                "jdbc:h2:;PASSWORD=geheim",
                "redis:u:geheim@127.0.0.1:1"
            })
    void addressOfAFile_thatCannotBeUsed_isReportedWithoutItsPassword(String address) {
        failsWithoutSecrets(address, BatonOptions.defaults());
    }

    @Test
    @DisplayName("P22: serverThatRefusesThePassword_isReportedWithoutIt")
    void serverThatRefusesThePassword_isReportedWithoutIt() throws Exception {
        String h2 = H2Server.newUri();
        try (Connection first = DriverManager.getConnection(h2 + ";USER=sa;PASSWORD=other")) {
            assertThat(first.isClosed()).isFalse();
            failsWithoutSecrets(h2 + ";USER=sa;PASSWORD=geheim", BatonOptions.defaults());
        }
        String postgres = PostgresServer.shared().uri().replace("user=postgres", "user=nobody&password=geheim");
        failsWithoutSecrets(postgres, BatonOptions.defaults());
        String maria = MariaServer.shared().uri().replaceFirst("/[^/?]*\\?.*", "/nowhere?user=root&password=geheim");
        failsWithoutSecrets(maria, BatonOptions.defaults());
    }

    @Test
    void objects_thatKnowTheAddress_doNotPrintIt() {
        String address = "jdbc:mysql://u:geheim@127.0.0.1/db?password=geheim";
        assertThat(ServerAddress.of(URI.create(address), Databases.MYSQL).toString())
                .doesNotContain(SECRET)
                .contains("127.0.0.1/db");
        assertThat(JdbcClient.config(address, "client", Timings.DEFAULTS).toString())
                .doesNotContain(SECRET);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db.example:5432,other.example/app",
                "jdbc:postgresql://[::1]:5432/app",
                "jdbc:mysql://db.example/app",
                "jdbc:h2:tcp://db.example/~/locks",
                "jdbc:h2:./a@b",
                "jdbc:h2:mem:x"
            })
    void address_withoutSecrets_isShownAsItIs(String address) {
        assertThat(Redaction.shown(address + "?user=u")).isEqualTo(address);
        assertThat(Redaction.shown(address + ";PASSWORD=geheim")).isEqualTo(address);
    }

    /** A driver that quotes everything that it received. */
    @Test
    void driver_thatQuotesItsAddressSomewhere_isNotBelievedWordForWord() {
        String url = "jdbc:mysql://u:geheim%21@db.example/app?password=other+geheim&port=3";
        SQLException said = new SQLException("no: " + url, "08001", 7, new IllegalStateException("geheim!"));
        said.setNextException(new SQLException("other geheim"));
        SQLException told = Redaction.of(url).of(said);
        assertThat(everything(told)).doesNotContain(SECRET).contains("db.example/app");
        assertThat(told.getSQLState()).isEqualTo("08001");
        assertThat(told.getErrorCode()).isEqualTo(7);
        SQLException harmless = new SQLException("the server is away");
        assertThat((Throwable) Redaction.of(url).of(harmless)).isSameAs(harmless);
        @Nullable String nothing = null;
        assertThat(Redaction.of(url).text(nothing)).isEqualTo("null");
        assertThat(Redaction.of("jdbc:h2:").text("a Password=\"x y\" of " + Locale.ROOT + " and PWD=z;"))
                .doesNotContain("x y")
                .doesNotContain("z");
    }
}
