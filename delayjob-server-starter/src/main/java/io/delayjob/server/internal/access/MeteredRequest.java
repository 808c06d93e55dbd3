package io.delayjob.server.internal.access;

import io.delayjob.server.internal.limits.Allowance;
import io.delayjob.server.internal.web.Problem;
import java.time.Duration;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A request whose body is counted, and has to arrive in time. */
final class MeteredRequest extends ServerHttpRequestDecorator {

    private final Allowance allowance;
    private final Duration timeout;

    MeteredRequest(ServerHttpRequest request, Allowance allowance, Duration timeout) {
        super(request);
        this.allowance = allowance;
        this.timeout = timeout;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return super.getBody()
                .doOnNext(part -> allowance.received(part.readableByteCount()))
                .takeUntilOther(Mono.delay(timeout).then(Mono.error(this::tooSlow)));
    }

    private Throwable tooSlow() {
        return Problem.BODY_TOO_SLOW.with(
                "the body did not arrive within delayjob.server.body-timeout=%s; send it faster, or in several smaller requests"
                        .formatted(timeout));
    }
}
