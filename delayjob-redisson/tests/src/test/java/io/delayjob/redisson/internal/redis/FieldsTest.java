package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldsTest {

    @Test
    void readsTheFieldsItIsAskedForAndPassesOverOthers() {
        Fields fields = new Fields("color=a=b|scope=f|empty=|weight=7|id=x", "id");
        assertThat(fields.text("scope")).isEqualTo("f");
        assertThat(fields.text("color")).isEqualTo("a=b");
        assertThat(fields.text("empty")).isNull();
        assertThat(fields.text("missing")).isNull();
        assertThat(fields.count("weight")).isEqualTo(7);
        assertThat(fields.text("id")).isEqualTo("x");
    }

    @Test
    void theLastFieldReachesToTheEnd() {
        assertThat(new Fields("scope=f|id=a|b|id=c\n|", "id").text("id")).isEqualTo("a|b|id=c\n|");
        assertThat(new Fields("id=|", "id").text("id")).isEqualTo("|");
        assertThat(new Fields("id=a|free=1", null).text("id")).isEqualTo("a");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "|",
                "||",
                "=",
                "n",
                "|n",
                "n|",
                "=n|",
                "n=",
                "n=x",
                "n=-1",
                "n=1.5",
                "n= 1",
                "n=9999999999999999"
            })
    void whatIsNoNumberIsNone(String garbage) {
        Fields fields = new Fields(garbage, null);
        assertThat(fields.count("n")).isNull();
        assertThat(fields.millis("n")).isNull();
    }

    @Test
    void ofTwoFieldsOfANameTheFirstCounts() {
        assertThat(new Fields("n=1|n=2", null).count("n")).isEqualTo(1);
        assertThat(new Fields("n=|n=2", null).count("n")).isNull();
    }
}
