package io.delayjob.server.internal.access;

import io.delayjob.server.internal.limits.Allowance;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;

/** A request whose body is read only if its caller may send it, and counted. */
final class MeteredRequest extends ServerHttpRequestDecorator {

    private final Runnable check;
    private final Allowance allowance;

    /**
     * A request.
     *
     * @param check throws if the body must not be read
     */
    MeteredRequest(ServerHttpRequest request, Runnable check, Allowance allowance) {
        super(request);
        this.check = check;
        this.allowance = allowance;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return Flux.defer(() -> {
            check.run();
            return super.getBody().doOnNext(part -> allowance.received(part.readableByteCount()));
        });
    }
}
