package io.delayjob.server.internal.idempotency;

import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Mono;

/** An answer that is kept before it is written, so that it can be repeated even if its caller has hung up. */
final class KeptAnswer extends ServerHttpResponseDecorator {

    private final String digest;
    private final Function<Kept, Mono<Void>> keep;

    /**
     * An answer.
     *
     * @param digest the digest of what was asked
     * @param keep keeps what is about to be written
     */
    KeptAnswer(ServerHttpResponse response, String digest, Function<Kept, Mono<Void>> keep) {
        super(response);
        this.digest = digest;
        this.keep = keep;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return DataBufferUtils.join(body)
                .map(KeptAnswer::bytes)
                .defaultIfEmpty(new byte[0])
                .flatMap(bytes -> keep.apply(kept(bytes))
                        .then(Mono.defer(() -> super.writeWith(
                                Mono.just(getDelegate().bufferFactory().wrap(bytes))))));
    }

    @Override
    public Mono<Void> setComplete() {
        return isCommitted()
                ? super.setComplete()
                : keep.apply(kept(new byte[0])).then(Mono.defer(super::setComplete));
    }

    static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private Kept kept(byte[] body) {
        int status = getStatusCode() == null
                ? HttpStatus.OK.value()
                : getStatusCode().value();
        return new Kept(
                digest,
                status,
                getHeaders().getFirst(HttpHeaders.CONTENT_TYPE),
                new String(body, StandardCharsets.UTF_8));
    }
}
