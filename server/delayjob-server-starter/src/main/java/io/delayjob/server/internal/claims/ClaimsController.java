package io.delayjob.server.internal.claims;

import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.web.Everyday;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Claims due jobs. A claim that waits takes no thread; if its caller hangs up, it is cancelled. */
@ApiController
@RequestMapping
public final class ClaimsController {

    private final BoundedClaims claims;

    /** Routes over an engine. */
    public ClaimsController(BoundedClaims claims) {
        this.claims = claims;
    }

    @Everyday
    @PostMapping(name = "claimJobs", path = "/queues/{queue}/claims")
    Mono<ClaimedView> claim(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestBody(required = false) @Nullable ClaimBody body,
            ServerWebExchange exchange) {
        if (body != null && body.queues() != null && !body.queues().isEmpty()) {
            throw new IllegalArgumentException(
                    "queues is only for POST …/claims; the path names the queue: " + body.queues());
        }
        return claim(access, List.of(queue), body == null ? nothing() : body, exchange);
    }

    @Everyday
    @PostMapping(name = "claimJobsOfQueues", path = "/claims")
    Mono<ClaimedView> claim(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestBody ClaimBody body,
            ServerWebExchange exchange) {
        if (body.queues() == null) {
            throw new IllegalArgumentException("queues must name the queues to claim from");
        }
        return claim(access, body.queues(), body, exchange);
    }

    private Mono<ClaimedView> claim(Access access, List<String> queues, ClaimBody body, ServerWebExchange exchange) {
        access.require(queues, Role.WORK);
        return claims.claim(access, body.claim(queues))
                .doOnNext(jobs -> Undelivered.note(exchange, jobs, body.claimId() != null))
                .map(ClaimedView::of);
    }

    private static ClaimBody nothing() {
        return new ClaimBody(null, null, null, null, null, null);
    }
}
