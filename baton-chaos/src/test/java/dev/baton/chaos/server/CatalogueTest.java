package dev.baton.chaos.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every store has every fault, or one reason why not; and so says the page. */
class CatalogueTest {
    private static final Path PAGE = Path.of("..", "docs", "chaos.md");
    private static final int COLUMNS = 80;

    static Stream<String> stores() {
        return Sites.names().stream();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void store_hasEachFault_orOneReasonWhyNot(String store) {
        List<String> offered = Catalogue.offered(store);
        assertThat(new HashSet<>(offered)).hasSameSizeAs(offered);
        for (String fault : Catalogue.faults()) {
            assertThat(Catalogue.reasons(store, fault))
                    .as("why %s has no %s", store, fault)
                    .hasSize(offered.contains(fault) ? 0 : 1);
        }
    }

    @Test
    void everyReason_isForStoresAndFaultsThatExist() {
        for (Reasons.Reason reason : Reasons.all()) {
            for (String store : reason.stores().split(" ", -1)) {
                assertThat(Catalogue.faults())
                        .as("what %s is a reason for on %s", reason, store)
                        .anyMatch(fault ->
                                reason.isFor(store, fault) && Sites.names().contains(store));
            }
        }
    }

    @Test
    void everyFault_isDescribed() {
        assertThat(Descriptions.all().keySet()).containsExactlyInAnyOrderElementsOf(Catalogue.faults());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void listOfAStore_hasEveryFault_andNoLongLine(String store) {
        String list = Catalogue.of(store);
        assertThat(list).contains(Catalogue.faults());
        assertThat(list.lines()).allMatch(line -> line.length() <= COLUMNS);
    }

    @Test
    void page_hasBothTables() throws IOException {
        assertThat(Files.readString(PAGE)).contains(Catalogue.descriptions()).contains(Catalogue.matrix());
    }
}
