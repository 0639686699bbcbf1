package dev.baton.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisFiguresTest {
    private static final String INFO = """
            # Commandstats\r
            cmdstat_evalsha:calls=20,usec=900,usec_per_call=45.00,rejected_calls=0,failed_calls=0\r
            cmdstat_eval:calls=3,usec=900,usec_per_call=45.00,rejected_calls=0,failed_calls=0\r
            cmdstat_hexists:calls=40,usec=40,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r
            cmdstat_publish:calls=5,usec=40,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r
            cmdstat_script|load:calls=1,usec=40,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r
            cmdstat_info:calls=7,usec=40,usec_per_call=1.00,rejected_calls=0,failed_calls=0\r
            # CPU\r
            used_cpu_sys:1.500000\r
            used_cpu_user:2.250000\r
            used_cpu_sys_children:9.000000\r
            used_cpu_sys_main_thread:1.400000\r
            # Stats\r
            total_net_input_bytes:1000\r
            total_net_output_bytes:234\r
            total_net_repl_input_bytes:77\r
            """;

    @Test
    void info_isCounted_withoutTheQuestionItself() {
        assertThat(RedisFigures.parse(INFO)).isEqualTo(new Usage(23, 69, 5, 1_234, 3_750_000));
    }

    @Test
    void usage_isTheDifference() {
        assertThat(new Usage(5, 9, 2, 500, 70).since(new Usage(1, 2, 1, 100, 30)))
                .isEqualTo(new Usage(4, 7, 1, 400, 40));
    }
}
