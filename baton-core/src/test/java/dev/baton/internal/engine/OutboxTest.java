package dev.baton.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class OutboxTest {
    @Test
    void stepThatFails_isLogged_andTheOthersGoOn() {
        List<String> done = new ArrayList<>();
        Handler watch = new Handler() {
            @Override
            public void publish(LogRecord record) {
                done.add(record.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.baton");
        logger.addHandler(watch);
        try {
            Outbox out = new Outbox();
            out.call(Driver.Kind.EVENT, () -> {
                throw new IllegalStateException("made to fail");
            });
            out.call(Driver.Kind.EVENT, () -> done.add("the next step"));
            out.flush(new InlineDriver());
        } finally {
            logger.removeHandler(watch);
        }
        assertThat(done).containsExactly("one step failed; the others go on", "the next step");
    }
}
