package io.delayjob.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.web.ErrorResponseException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Work that waits. */
class BlockingTest {

    /** Longer than a machine stands still. */
    private static final Duration STALL = Duration.ofMinutes(1);

    @Test
    void workThatEndsInAnErrorIsAnsweredToo() {
        assertThatThrownBy(() -> Blocking.call(() -> {
                            throw new NoClassDefFoundError("left out");
                        })
                        .block(STALL))
                .hasRootCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void slowLookUpsOfNamesKeepNeitherOtherWorkNorSignIns() {
        CountDownLatch answered = new CountDownLatch(1);
        List<CompletableFuture<Boolean>> slow = IntStream.range(0, 256)
                .mapToObj(i -> Blocking.lookUp(() -> {
                            answered.await();
                            return true;
                        })
                        .toFuture())
                .toList();

        assertThat(Blocking.call(() -> "bound").block(STALL)).isEqualTo("bound");
        assertThat(Mono.fromCallable(() -> "signed in")
                        .subscribeOn(Schedulers.boundedElastic())
                        .block(STALL))
                .isEqualTo("signed in");
        // More than that wait for a thread, and are refused.
        List<Mono<Boolean>> more = IntStream.range(0, 32)
                .mapToObj(i -> Blocking.lookUp(() -> true))
                .toList();
        assertThatThrownBy(() -> more.forEach(one -> one.toFuture().getNow(null)))
                .hasCauseInstanceOf(ErrorResponseException.class)
                .hasMessageContaining("429");

        answered.countDown();
        assertThat(slow).allSatisfy(one -> assertThat(one.join()).isTrue());
    }
}
