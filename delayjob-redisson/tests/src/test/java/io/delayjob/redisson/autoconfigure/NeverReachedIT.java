package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application of seven queues that starts without Redis, and never reaches it: nobody waits for what cannot come. */
@Tag("proof")
class NeverReachedIT {

    private static final int QUEUES = 7;

    /** Far longer than it takes on a busy machine, and a fraction of what one attempt to connect does here. */
    private static final Duration SOON = Duration.ofMinutes(2);

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    private static ConfigurableApplicationContext start(int port) {
        Stream<String> queues =
                IntStream.rangeClosed(1, QUEUES).mapToObj(i -> "delayjob.queues.q" + i + ".concurrency=1");
        return TestApplication.start(
                App.class,
                Stream.concat(
                                Stream.of(
                                        "delayjob.fail-fast=false",
                                        "spring.data.redis.connect-timeout=10m",
                                        "spring.data.redis.timeout=10m",
                                        "spring.data.redis.host=127.0.0.1",
                                        "spring.data.redis.port=" + port),
                                queues)
                        .toArray(String[]::new));
    }

    private static int portWithoutListener() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return server.getLocalPort();
        }
    }

    @Test
    void waitsForNothingWhereNobodyListens() throws IOException {
        waitsForNothing(portWithoutListener());
    }

    @Test
    void waitsForNothingWhereConnectionsAreAcceptedAndNeverAnswered() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 100, InetAddress.getLoopbackAddress())) {
            waitsForNothing(silent.getLocalPort());
        }
    }

    private static void waitsForNothing(int port) {
        ConfigurableApplicationContext app = start(port);
        PrometheusMeterRegistry meters = app.getBean(PrometheusMeterRegistry.class);
        DelayJobProducer producer = app.getBean(DelayJobProducer.class);
        try {
            String scraped = soon(meters::scrape);
            assertThat(scraped).contains("delayjob_jobs", "queue=\"q7\"");
            CompletableFuture<String> submitted = soon(() -> producer.submitDelayJobAsync(
                    DelayJobRequest.of(ParcelJob.class, new Parcel("here", 1)), Duration.ZERO));
            assertThat(submitted).isNotDone();
        } finally {
            soon(() -> {
                app.close();
                return "closed";
            });
        }
    }

    /** On a thread of its own, so that a step that hangs fails the test. */
    private static <R> R soon(Callable<R> step) {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        CompletableFuture<R> done = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return step.call();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                },
                thread);
        thread.shutdown();
        assertThat(done).succeedsWithin(SOON);
        return done.join();
    }
}
