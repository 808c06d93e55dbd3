package io.delayjob.server.internal.web;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Reads bodies to their end. What is done with a large one, such as to parse it, is done on other threads than those that read from
 * connections: they would answer nobody meanwhile. There are few of these threads, and each rests after a body that took it long, so that processors are left
 * for all others.
 */
public final class WholeBody {

    /** Less is parsed in a moment. */
    private static final int LARGE = 64 * 1024;

    private static final long LONG_NANOS = Duration.ofMillis(10).toNanos();
    private static final int IDLE_SECONDS = 60;

    private static final Scheduler OF_LARGE_ONES = Schedulers.newBoundedElastic(
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
            Integer.MAX_VALUE,
            "delayjob-large-bodies",
            IDLE_SECONDS,
            true);

    private WholeBody() {}

    /**
     * Reads a body; empty if there is none.
     *
     * @param most the largest body; a larger one fails with a {@link org.springframework.core.io.buffer.DataBufferLimitException}
     */
    public static Mono<byte[]> read(Publisher<DataBuffer> body, int most) {
        return parts(body, most).map(WholeBody::bytes);
    }

    /**
     * The same, as one buffer over the parts in which the body came; the caller releases it. One large array of bytes would start a garbage collection.
     *
     * @param most the largest body
     */
    static Mono<DataBuffer> parts(Publisher<DataBuffer> body, int most) {
        return DataBufferUtils.join(body, most).flatMap(WholeBody::onItsThread);
    }

    private static Mono<DataBuffer> onItsThread(DataBuffer body) {
        return body.readableByteCount() < LARGE
                ? Mono.just(body)
                : Mono.<DataBuffer>create(reader -> OF_LARGE_ONES.schedule(() -> {
                            long begun = System.nanoTime();
                            reader.success(body);
                            rest(System.nanoTime() - begun);
                        }))
                        .doOnDiscard(DataBuffer.class, DataBufferUtils::release);
    }

    private static void rest(long nanos) {
        if (nanos > LONG_NANOS) {
            LockSupport.parkNanos(nanos);
        }
    }

    /** The bytes of a buffer, which is released. */
    public static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }
}
