package io.delayjob.reliability.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

class ReportTest {

    @Test
    void saysThatATestFailedOnlyIfItDid() {
        assertThat(Report.hasFailed(endedWith(new IllegalStateException()))).isTrue();
        assertThat(Report.hasFailed(endedWith(new AssertionError()))).isTrue();
        assertThat(Report.hasFailed(endedWith(new TestAbortedException()))).isFalse();
        assertThat(Report.hasFailed(endedWith(null))).isFalse();
    }

    private static ExtensionContext endedWith(@Nullable Throwable end) {
        ExtensionContext context = mock();
        when(context.getExecutionException()).thenReturn(Optional.ofNullable(end));
        return context;
    }
}
