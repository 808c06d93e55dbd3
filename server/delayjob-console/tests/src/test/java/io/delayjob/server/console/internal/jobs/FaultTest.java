package io.delayjob.server.console.internal.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FaultTest {

    @Test
    void isTheExceptionAndTheFirstPlaceThatIsNoLibrary() {
        Fault fault = Fault.of("""
                java.io.UncheckedIOException: mail-7.example did not answer
                \tat java.base/java.util.Optional.get(Optional.java:1)
                \tat org.springframework.core.Retry.call(Retry.java:2)
                \tat app//shop.Mailer.send(Mailer.java:42)
                Caused by: java.io.IOException: reset
                """);

        assertThat(fault.what()).isEqualTo("java.io.UncheckedIOException");
        assertThat(fault.shortName()).isEqualTo("UncheckedIOException");
        assertThat(fault.place()).isEqualTo("app//shop.Mailer.send(Mailer.java:42)");
    }

    @Test
    void isTheTextOfAWorkerWithoutWhatVaries() {
        assertThat(Fault.of("order 4711 of 'ann' timed out after 30 s"))
                .isEqualTo(Fault.of("order 17 of 'bob' timed out after 29 s"))
                .isEqualTo(new Fault("order # of # timed out after # s", ""));
        assertThat(Fault.of("a").key()).isNotEqualTo(Fault.of("b").key());
    }

    @Test
    void isTheSameOfTheLastAttemptAndOfThoseBefore() {
        assertThat(Fault.of("attempt 3 of 3 failed: java.io.IOException: reset"))
                .isEqualTo(Fault.of("java.io.IOException: reset"));
    }

    @Test
    void isBounded() {
        assertThat(Fault.of("x".repeat(100_000)).what()).hasSizeLessThan(200);
        assertThat(Fault.of("")).isEqualTo(new Fault("", ""));
    }
}
