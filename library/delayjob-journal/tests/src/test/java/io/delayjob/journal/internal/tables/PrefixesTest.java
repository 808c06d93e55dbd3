package io.delayjob.journal.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrefixesTest {

    @Test
    void endsBehindAllThatBeginSo() {
        assertThat(Prefixes.endOf("order-4")).isEqualTo("order-5");
        assertThat(Prefixes.endOf("a\uD83D\uDE00")).isEqualTo("b");
        assertThat(Prefixes.endOf("\uFFFF")).isNull();
        String end = String.valueOf(Prefixes.endOf("é"));
        for (String id : new String[] {"é", "éz", "é\uD83D\uDE00", "é\uFFFD"}) {
            assertThat(id).isLessThan(end);
            assertThat(Prefixes.BYTES.compare(id, end)).isNegative();
        }
    }
}
