package io.delayjob.benchmarks.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RedisInfoTest {

    private static final String INFO = """
            # CPU
            used_cpu_sys:1.500000
            used_cpu_user:2.250000
            used_cpu_sys_children:9.000000
            # Memory
            used_memory:1048576
            used_memory_human:1.00M
            total_reads_processed:70
            # Commandstats
            cmdstat_evalsha:calls=10,usec=250,usec_per_call=25.00,rejected_calls=0,failed_calls=0
            cmdstat_eval:calls=1,usec=50,usec_per_call=50.00,rejected_calls=0,failed_calls=0
            cmdstat_config|set:calls=2,usec=9,usec_per_call=4.50,rejected_calls=0,failed_calls=0
            cmdstat_zadd:calls=30,usec=90,usec_per_call=3.00,rejected_calls=0,failed_calls=0
            """;

    @Test
    void readsWhatAServerHasDone() {
        assertThat(RedisInfo.meter(INFO)).isEqualTo(new Meter(3.75, 70, 11, 300, 1_048_576));
    }

    @Test
    void leavesItsOwnLooksOutOfTheRequestsBetweenTwo() {
        Meter before = RedisInfo.meter(INFO);
        Meter after = RedisInfo.meter(INFO.replace("processed:70", "processed:80"));
        assertThat(after.since(before).requests()).isEqualTo(8);
        assertThat(after.since(before).scripts()).isZero();
    }

    @Test
    void readsHowLongScriptsTakeIfTheServerSaysIt() {
        String latencies = """
                latency_percentiles_usec_config|set:p50=9.023,p99=90.111,p99.9=90.111
                latency_percentiles_usec_evalsha:p50=913.407,p99=7700.479,p99.9=10878.975
                latency_percentiles_usec_eval:p50=1.003,p99=2.007,p99.9=2.007
                """;
        assertThat(RedisInfo.scriptMicros99(latencies)).hasValue(7700.479);
        assertThat(RedisInfo.scriptMicros99(INFO)).isEmpty();
    }

    @Test
    void readsEachCommand() {
        assertThat(RedisInfo.calls(INFO))
                .containsEntry("zadd", 30L)
                .containsEntry("config|set", 2L)
                .hasSize(4);
    }
}
