package io.delayjob.server.internal.access;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;

/** A request whose body is read only if its caller may send it. */
final class CheckedRequest extends ServerHttpRequestDecorator {

    private final Runnable check;

    /**
     * A request.
     *
     * @param check throws if the body must not be read
     */
    CheckedRequest(ServerHttpRequest request, Runnable check) {
        super(request);
        this.check = check;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return Flux.defer(() -> {
            check.run();
            return super.getBody();
        });
    }
}
