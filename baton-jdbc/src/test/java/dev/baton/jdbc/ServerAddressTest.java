package dev.baton.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What addresses of database servers say, and that their drivers see none of Baton's options. */
class ServerAddressTest {
    private static ServerAddress of(String address) {
        URI uri = URI.create(address);
        Databases database = address.startsWith("jdbc:h2:") ? Databases.H2 : Databases.POSTGRESQL;
        return ServerAddress.of(uri, database);
    }

    @Test
    void address_withoutOptions_hasFourConnections() {
        assertThat(of("jdbc:postgresql://db/app").connections()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "jdbc:postgresql://db/app?baton.connections=16, 16, jdbc:postgresql://db/app",
        "jdbc:postgresql://db/app?user=u&baton.connections=1&ssl=true, 1, jdbc:postgresql://db/app?user=u&ssl=true",
        "jdbc:postgresql://db/app?baton.tables=a_&baton.connections=64, 64, jdbc:postgresql://db/app",
        "jdbc:postgresql://db/app?baton.connections=9&user=u&baton.tables=a_, 9, jdbc:postgresql://db/app?user=u",
        "jdbc:h2:./file;baton.tables=a_;baton.connections=2;MODE=LEGACY, 2, jdbc:h2:./file;MODE=LEGACY",
    })
    void connections_areBatons_andTheRestIsTheDrivers(String address, int connections, String url) {
        ServerAddress read = of(address);
        assertThat(read.connections()).isEqualTo(connections);
        assertThat(read.url()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db/app?user=u&password=x;baton.s3cret",
                "jdbc:postgresql://db/app?password=x?baton.s3cret&ssl=true",
                "jdbc:postgresql://db/app?ApplicationName=a-baton.connections=7",
                "jdbc:h2:./file;PASSWORD=x&baton.s3cret",
            })
    void valuesOfTheDriversOptions_areLeftAlone(String address) {
        ServerAddress read = of(address);
        assertThat(read.url()).isEqualTo(address);
        assertThat(read.connections()).isEqualTo(ServerAddress.DEFAULT_CONNECTIONS);
    }

    @ParameterizedTest
    @CsvSource({
        "baton.connections=0, 1 to 64 connections",
        "baton.connections=65, 1 to 64 connections",
        "baton.connections=, 1 to 64 connections",
        "baton.connections=many, 1 to 64 connections",
        "baton.connection=4, baton.tables=… and baton.connections=…",
        "baton.connections, baton.tables=… and baton.connections=…",
        "baton.tables=a-b, a prefix of table names",
    })
    void options_thatMeanNothing_areRefused(String option, String advice) {
        assertThatThrownBy(() -> of("jdbc:postgresql://db/app?password=geheim&" + option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(option + ": ")
                .hasMessageContaining(advice)
                .hasMessageNotContaining("geheim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "baton.connections=4?password=geheim",
                "baton.tables=a,password=geheim",
                "baton.a;password=geheim"
            })
    void optionThatMayContainAPassword_isNotRepeated(String option) {
        assertThatThrownBy(() -> of("jdbc:postgresql://db/app?user=u&" + option))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("an option baton.…: ")
                .hasMessageNotContaining("geheim");
    }
}
