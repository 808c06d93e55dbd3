package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.engine.ledger.Edge;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScriptSourceTest {

    @ParameterizedTest
    @EnumSource(Edge.class)
    void everyEdgeIsAScriptWhoseHeaderSaysItsKeysAnswerAndCost(Edge edge) {
        String text = ScriptSource.resource(edge.script());
        assertThat(text).contains("-- KEYS  1 ", "-- ARGV  ", "-- Returns ", "-- Cost  ");
    }

    @Test
    void putsIncludesInPlace() {
        assertThat(new ScriptSource().load("submit"))
                .contains("local function now()", "local function recall(memo, number)")
                .doesNotContain("@include");
    }

    @Test
    void namesAScriptThatIsMissing() {
        assertThatThrownBy(() -> ScriptSource.resource("nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nothing.lua");
    }
}
