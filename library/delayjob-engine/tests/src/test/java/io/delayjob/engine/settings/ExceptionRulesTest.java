package io.delayjob.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.NonRetryableException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ExceptionRulesTest {

    private static final ExceptionRules RULES =
            new ExceptionRules(Set.of(SocketTimeoutException.class), Set.of(IOException.class));

    @Test
    void retriesWhatNoClassIsNamedFor() {
        assertThat(ExceptionRules.NONE.retries(new Error())).isTrue();
        assertThat(RULES.retries(new IllegalStateException())).isTrue();
    }

    @Test
    void followsTheNearestClassThatIsNamed() {
        assertThat(RULES.retries(new FileNotFoundException())).isFalse();
        assertThat(RULES.retries(new SocketTimeoutException())).isTrue();
        assertThat(RULES.retries(new IOException())).isFalse();
    }

    @Test
    void goBeforeTheRulesBelowThemAndLeaveTheOthers() {
        ExceptionRules own = new ExceptionRules(Set.of(IOException.class), Set.of());
        ExceptionRules both = own.over(RULES).over(ExceptionRules.BASE);
        assertThat(both.retries(new FileNotFoundException())).isTrue();
        assertThat(both.retries(new NonRetryableException("no"))).isFalse();
        ExceptionRules stubborn = new ExceptionRules(Set.of(NonRetryableException.class), Set.of());
        assertThat(stubborn.over(ExceptionRules.BASE).retries(new NonRetryableException("no")))
                .isTrue();
    }

    @Test
    void refuseAClassThatIsNamedBothWays() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ExceptionRules(Set.of(IOException.class), Set.of(IOException.class)))
                .withMessage("java.io.IOException is in both retryFor and noRetryFor; remove it from one of them");
    }
}
