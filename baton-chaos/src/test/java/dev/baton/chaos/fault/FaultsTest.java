package dev.baton.chaos.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Faults are chosen by their names, and by beginnings of names. */
class FaultsTest {
    @Test
    void faults_areChosenByNameOrBeginning() {
        List<Fault> all = Faults.common(true);
        assertThat(Faults.chosen(all, List.of(), List.of("all"))).isEqualTo(all);
        assertThat(Faults.chosen(all, List.of(), List.of("client-kill", "wire-cut")))
                .extracting(Fault::id)
                .containsExactly("client-kill", "wire-cut", "wire-cut-one");
        assertThat(Faults.chosen(all, List.of(), List.of("client")))
                .allMatch(fault -> fault.scope() == Fault.Scope.CLIENT);
    }

    @Test
    void nameThatDoesNotExist_isRefused_withThoseThatDo() {
        assertThatThrownBy(() -> Faults.chosen(Faults.common(false), List.of(), List.of("wire")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wire")
                .hasMessageContaining("client-pause");
    }
}
