package io.delayjob.server.internal.web;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Reads bodies to their end. What is done with a large one, such as to parse it, is done on other threads than those that read from
 * connections: they would answer nobody meanwhile. There are few of these threads, so that processors are left for all others.
 */
public final class WholeBody {

    /** Less is parsed in a moment. */
    private static final int LARGE = 64 * 1024;

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
        return DataBufferUtils.join(body, most).map(WholeBody::bytes).flatMap(WholeBody::onItsThread);
    }

    private static Mono<byte[]> onItsThread(byte[] body) {
        return body.length < LARGE ? Mono.just(body) : Mono.just(body).publishOn(OF_LARGE_ONES);
    }

    /** The bytes of a buffer, which is released. */
    public static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }
}
