package dev.baton;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.Agreement;
import dev.baton.spi.StoreFailure;
import dev.baton.spi.Timings;
import org.junit.jupiter.api.Test;

/** The text of a descriptor. */
class AgreementTest {
    private static final Agreement OWN = Agreement.of(Timings.DEFAULTS);

    @Test
    void text_isReadAsItWasWritten() throws StoreFailure {
        assertThat(Agreement.parse(OWN.text(), "here")).isEqualTo(OWN);
        assertThat(OWN.namespaceId()).matches("[0-9a-f]{32}");
        assertThat(Agreement.of(Timings.DEFAULTS).namespaceId()).isNotEqualTo(OWN.namespaceId());
    }

    @Test
    void textWithoutAnIdentity_isRefused_andSaysWhatToDo() {
        String earlier = OWN.text().replaceAll(" id=.*", "");
        assertThatThrownBy(() -> Agreement.parse(earlier, "here"))
                .isInstanceOf(StoreFailure.class)
                .hasMessageContaining("here")
                .hasMessageContaining("no identity")
                .hasMessageContaining("update the clients that made it, and begin with another namespace");
    }

    @Test
    void textWithAnotherIdentity_isNoDescriptor() {
        for (String id : new String[] {"", "x", "0".repeat(31), "0".repeat(33), "G".repeat(32)}) {
            String other = OWN.text().replaceAll("id=.*", "id=" + id);
            assertThatThrownBy(() -> Agreement.parse(other, "here"))
                    .isInstanceOf(StoreFailure.class)
                    .hasMessageContaining("not a descriptor");
        }
    }
}
