package io.delayjob.server.internal.idempotency;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer that remembers what was written. */
final class KeptAnswer extends ServerHttpResponseDecorator {

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    KeptAnswer(ServerHttpResponse response) {
        super(response);
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return super.writeWith(Flux.from(body).doOnNext(this::copy));
    }

    private void copy(DataBuffer buffer) {
        int from = buffer.readPosition();
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        buffer.readPosition(from);
        written.writeBytes(bytes);
    }

    boolean isServerError() {
        return status() >= HttpStatus.INTERNAL_SERVER_ERROR.value();
    }

    private int status() {
        return getStatusCode() == null ? HttpStatus.OK.value() : getStatusCode().value();
    }

    Kept kept(String digest) {
        return new Kept(
                digest,
                status(),
                getHeaders().getFirst(HttpHeaders.CONTENT_TYPE),
                written.toString(StandardCharsets.UTF_8));
    }
}
