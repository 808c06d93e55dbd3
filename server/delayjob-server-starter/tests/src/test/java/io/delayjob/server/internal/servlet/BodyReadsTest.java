package io.delayjob.server.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class BodyReadsTest {

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger calls = new AtomicInteger();

    /** A body of which nothing comes, and whose container is slow to say so. */
    private final Flux<DataBuffer> body = Flux.from(reader -> reader.onSubscribe(new Subscription() {
        @Override
        public void request(long parts) {
            calls.incrementAndGet();
            asked.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void cancel() {}
    }));

    private final BaseSubscriber<DataBuffer> reader = new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // A test asks.
        }
    };

    private CompletableFuture<Void> handled(HttpHandler handler) {
        return handled(handler, body);
    }

    private static CompletableFuture<Void> handled(HttpHandler handler, Flux<DataBuffer> body) {
        ServerHttpRequest request =
                MockServerHttpRequest.method(HttpMethod.POST, "/jobs").body(body);
        return new BodyReads(handler)
                .handle(request, new MockServerHttpResponse())
                .toFuture();
    }

    /** Begins to read a body, and answers with its reader when a thread has asked for more. */
    private HttpHandler answering(Mono<Void> answer) {
        return (request, response) -> {
            request.getBody().subscribe(reader);
            new Thread(() -> reader.request(1)).start();
            return Mono.fromRunnable(() -> await().until(() -> asked.getCount() == 0))
                    .then(answer);
        };
    }

    @Test
    void aRequestThatIsAnsweredEndsOnceNoThreadAsksForMoreOfItsBody() {
        CompletableFuture<Void> handled = handled(answering(Mono.empty()));
        assertThat(handled).isNotDone();

        goOn.countDown();

        await().until(handled::isDone);
        assertThat(handled).isCompleted();
    }

    @Test
    void aRequestThatFailsEndsOnceNoThreadAsksForMoreOfItsBody() {
        CompletableFuture<Void> handled = handled(answering(Mono.error(new IllegalStateException("broken"))));
        assertThat(handled).isNotDone();

        goOn.countDown();

        assertThatIllegalStateException()
                .isThrownBy(() -> Mono.fromFuture(handled).block())
                .withMessage("broken");
    }

    @Test
    void nobodyAsksTheContainerForMoreOfTheBodyOfARequestThatHasEnded() {
        goOn.countDown();
        CompletableFuture<Void> handled = handled((request, response) -> {
            request.getBody().subscribe(reader);
            return Mono.empty();
        });
        assertThat(handled).isCompleted();

        reader.request(1);

        assertThat(calls).hasValue(0);
    }

    @Test
    void aRequestThatIsAnsweredWhileItsReaderIsStillAskingEnds() {
        Flux<DataBuffer> empty = Flux.from(reading -> reading.onSubscribe(new Subscription() {
            @Override
            public void request(long parts) {
                reading.onComplete();
            }

            @Override
            public void cancel() {}
        }));
        CompletableFuture<Void> handled =
                handled((request, response) -> request.getBody().then(), empty);

        assertThat(handled).isCompleted();
    }
}
