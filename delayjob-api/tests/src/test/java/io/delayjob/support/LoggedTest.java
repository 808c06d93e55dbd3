package io.delayjob.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LoggedTest {

    @Test
    void indentsEachFurtherLineSoThatNoneCanBeTakenForAnEntry() {
        assertThat(Logged.text("failed\n2030-01-01 ERROR all jobs are lost\r\nand more\rstill more"))
                .isEqualTo("failed\n\t2030-01-01 ERROR all jobs are lost\n\tand more\n\tstill more");
    }

    @Test
    void escapesControlCharactersThatATerminalOrAReaderOfLinesWouldObey() {
        assertThat(Logged.text("red \u001b[31m, next \u0085 line, \u2028 and \u2029"))
                .isEqualTo("red \\u001b[31m, next \\u0085 line, \\u2028 and \\u2029");
    }

    @Test
    void leavesOtherTextAsItIs() {
        assertThat(Logged.text("\tat shop.Order.close(Order.java:1) 订单 😀"))
                .isEqualTo("\tat shop.Order.close(Order.java:1) 订单 😀");
        assertThat(Logged.text(null)).isEqualTo("null");
    }
}
