package io.delayjob.server.internal.claims;

import io.delayjob.ClaimedJob;
import io.delayjob.server.web.Problems;
import java.util.List;
import java.util.function.BiConsumer;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Gives back the jobs of an answer that could not be written, because the caller had hung up or because another answer took its place: what was
 * claimed is for who got it.
 */
public final class Undelivered implements WebFilter {

    private static final Logger log = LoggerFactory.getLogger(Undelivered.class);
    private static final String ANSWER = "delayjob.claimed";
    private static final String UNWRITTEN = "delayjob.unwritten";

    private final BiConsumer<List<ClaimedJob>, Boolean> giver;

    /** The claimed jobs in the answer to a request, and whether the claim has an id. */
    private record Answer(List<ClaimedJob> jobs, boolean hasId) {

        static final Answer NOTHING = new Answer(List.of(), false);
    }

    /** Notes that an answer could not be written. Spring ends such a request as if the caller had got it. */
    private static final class Watched extends ServerHttpResponseDecorator {

        private final ServerWebExchange exchange;

        Watched(ServerWebExchange exchange) {
            super(exchange.getResponse());
            this.exchange = exchange;
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            return super.writeWith(body)
                    .doOnError(failure -> exchange.getAttributes().put(UNWRITTEN, true));
        }
    }

    /**
     * Gives back to an engine.
     *
     * @param giver gives back jobs, of a claim that can be repeated or not
     */
    public Undelivered(BiConsumer<List<ClaimedJob>, Boolean> giver) {
        this.giver = giver;
    }

    /**
     * Notes what the answer to a request contains.
     *
     * @param hasId whether the claim can be repeated
     */
    public static void note(ServerWebExchange exchange, List<ClaimedJob> jobs, boolean hasId) {
        exchange.getAttributes().put(ANSWER, new Answer(jobs, hasId));
    }

    /** Whether the answer to a request has its jobs: it could be written, and none was written instead that says what went wrong. */
    public static boolean isDelivered(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        return !Problems.isWritten(exchange)
                && exchange.getAttribute(UNWRITTEN) == null
                && (status == null || status.is2xxSuccessful());
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return chain.filter(exchange.mutate().response(new Watched(exchange)).build())
                .doOnSuccess(done -> giveBackUnlessDelivered(exchange))
                .doOnError(failure -> giveBack(exchange))
                .doOnCancel(() -> giveBack(exchange));
    }

    private void giveBackUnlessDelivered(ServerWebExchange exchange) {
        if (!isDelivered(exchange)) {
            giveBack(exchange);
        }
    }

    private void giveBack(ServerWebExchange exchange) {
        Answer answer = exchange.getAttributeOrDefault(ANSWER, Answer.NOTHING);
        if (!answer.jobs().isEmpty()) {
            log.debug(
                    "the answer was not written: {} jobs are given back",
                    answer.jobs().size());
            giver.accept(answer.jobs(), answer.hasId());
        }
    }
}
