package io.delayjob.server.internal.claims;

import io.delayjob.DelayJobClaims;
import io.delayjob.JobSettlement;
import io.delayjob.engine.ClaimHandles;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.internal.web.Items;
import io.delayjob.server.web.Everyday;
import io.delayjob.server.web.View;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import reactor.core.publisher.Mono;

/** Settles attempts by their handles, whichever server handed them out. */
@ApiController
@RequestMapping("/settlements")
public final class SettlementsController {

    private final DelayJobClaims claims;

    /**
     * The result of a settlement.
     *
     * @param handle the handle
     * @param applied false if the attempt no longer held the job
     */
    record SettledView(String handle, boolean applied) {}

    /** The result of each settlement. */
    record SettlementsView(List<SettledView> results) implements View {}

    /** Routes over an engine. */
    public SettlementsController(DelayJobClaims claims) {
        this.claims = claims;
    }

    @Everyday
    @PostMapping(name = "settleJobs")
    Mono<SettlementsView> settle(@RequestAttribute(Access.ATTRIBUTE) Access access, @RequestBody SettlementsBody body) {
        access.require(Role.WORK);
        List<SettlementsBody.Settlement> all = body.settlements();
        all.forEach(one -> access.require(ClaimHandles.queueOf(one.handle()), Role.WORK));
        List<JobSettlement> settlements = Items.map("settlements", all, (one, place) -> one.settlement());
        return Mono.fromFuture(() -> claims.settleAsync(settlements))
                .map(applied -> new SettlementsView(IntStream.range(0, applied.size())
                        .mapToObj(i -> new SettledView(all.get(i).handle(), applied.get(i)))
                        .toList()));
    }
}
