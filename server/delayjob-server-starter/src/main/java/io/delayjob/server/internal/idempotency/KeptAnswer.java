package io.delayjob.server.internal.idempotency;

import io.delayjob.server.Grant;
import io.delayjob.server.internal.web.WholeBody;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An answer that is kept instead of being written. It is written afterwards, if its caller has not hung up. The actions before an answer are done
 * before it is kept, so that a hang-up leaves none out.
 */
final class KeptAnswer extends ServerHttpResponseDecorator {

    private final String digest;
    private final Grant grant;
    private final Function<Kept, Mono<Void>> keep;
    private final Queue<Supplier<? extends Mono<Void>>> actions = new ConcurrentLinkedQueue<>();
    private volatile byte @Nullable [] body;

    /**
     * An answer.
     *
     * @param digest the digest of what was asked
     * @param grant the grant of its caller
     * @param keep keeps what is about to be written
     */
    KeptAnswer(ServerHttpResponse response, String digest, Grant grant, Function<Kept, Mono<Void>> keep) {
        super(response);
        this.digest = digest;
        this.grant = grant;
        this.keep = keep;
        response.beforeCommit(this::act);
    }

    @Override
    public void beforeCommit(Supplier<? extends Mono<Void>> action) {
        actions.add(action);
    }

    /** Does each action once: before this answer is kept, or before another one is written in its place. */
    private Mono<Void> act() {
        return Mono.defer(() -> {
            Supplier<? extends Mono<Void>> action = actions.poll();
            return action == null ? Mono.empty() : action.get().then(act());
        });
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> written) {
        return DataBufferUtils.join(written)
                .map(WholeBody::bytes)
                .defaultIfEmpty(new byte[0])
                .flatMap(this::keep);
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> written) {
        return writeWith(Flux.from(written).concatMap(part -> part));
    }

    @Override
    public Mono<Void> setComplete() {
        return body == null ? keep(new byte[0]) : Mono.empty();
    }

    private Mono<Void> keep(byte[] bytes) {
        body = bytes;
        return act().then(Mono.defer(() -> keep.apply(kept(bytes))));
    }

    /** Writes what was kept. */
    Mono<Void> write() {
        byte[] kept = body;
        return kept == null || kept.length == 0
                ? getDelegate().setComplete()
                : getDelegate()
                        .writeWith(Mono.fromSupplier(
                                () -> getDelegate().bufferFactory().wrap(kept)));
    }

    private Kept kept(byte[] bytes) {
        int status = getStatusCode() == null
                ? HttpStatus.OK.value()
                : getStatusCode().value();
        return new Kept(
                digest,
                status,
                getHeaders().getFirst(HttpHeaders.CONTENT_TYPE),
                new String(bytes, StandardCharsets.UTF_8),
                grant);
    }
}
