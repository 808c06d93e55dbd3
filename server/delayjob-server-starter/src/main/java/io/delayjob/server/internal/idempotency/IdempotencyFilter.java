package io.delayjob.server.internal.idempotency;

import io.delayjob.DelayJobException;
import io.delayjob.server.Access;
import io.delayjob.server.Grant;
import io.delayjob.server.internal.access.FilterOrder;
import io.delayjob.server.internal.limits.Allowance;
import io.delayjob.server.internal.limits.Allowances;
import io.delayjob.server.internal.protocols.ProtocolFilter;
import io.delayjob.server.internal.web.ApiPath;
import io.delayjob.server.internal.web.WholeBody;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import io.delayjob.server.web.ToItsEnd;
import io.delayjob.support.Checks;
import io.delayjob.support.Digests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Answers a POST whose {@code Idempotency-Key} was seen within the last day as the first one was answered. Keys belong to the name of
 * the caller, and an answer is repeated only while the caller has the rights under which it was given. A caller that hangs up does not end the
 * work, so that its repeat gets the answer. An answer that refuses (4xx), or is of the server's own fault (5xx), is not kept: nothing was done,
 * and the request can be made again. A key whose server died is in use for a minute.
 */
@Order(FilterOrder.IDEMPOTENCY)
public final class IdempotencyFilter implements WebFilter {

    /** The attribute of a request that holds the beginning of the ids of jobs that have none. */
    public static final String JOB_IDS = "delayjob.ids";

    private static final Logger log = LoggerFactory.getLogger(IdempotencyFilter.class);
    private static final String HEADER = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,255}");

    private static final List<PathPattern> CLAIMS = ApiPath.routes("/claims", "/queues/{queue}/claims");
    private static final List<PathPattern> TOKENS = ApiPath.routes("/tokens/**");

    /** So that an id says where it comes from. */
    private static final String ID_PREFIX = "key-";

    private static final int ID_LENGTH = 32;

    private final KeyStore keys;
    private final Allowances allowances;
    private final int maxBodyBytes;

    /**
     * A filter over a store.
     *
     * @param allowances how much of each caller is kept
     * @param maxBodyBytes the largest body
     */
    public IdempotencyFilter(KeyStore keys, Allowances allowances, int maxBodyBytes) {
        this.keys = keys;
        this.allowances = allowances;
        this.maxBodyBytes = maxBodyBytes;
    }

    /**
     * A request with a key.
     *
     * @param note the record that it is under way
     */
    private record Keyed(String key, Allowance allowance, Kept note, Grant grant, ReadRequest request) {

        static Keyed of(String key, Allowance allowance, Grant grant, ServerHttpRequest request, byte[] body) {
            String asked = request.getPath().value() + "\n" + new String(body, StandardCharsets.UTF_8);
            return new Keyed(key, allowance, Kept.begun(Digests.sha256(asked)), grant, new ReadRequest(request, body));
        }

        String digest() {
            return note.digest();
        }
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        String key = exchange.getRequest().getHeaders().getFirst(HEADER);
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        if (key == null
                || access == null
                || ProtocolFilter.serves(exchange)
                || !exchange.getRequest().getMethod().equals(HttpMethod.POST)) {
            return chain.filter(exchange);
        }
        if (ApiPath.isFor(CLAIMS, exchange)) {
            return refuse(exchange, Problem.INVALID_VALUE, "a claim has no " + HEADER + "; give it a claimId");
        }
        if (ApiPath.isFor(TOKENS, exchange)) {
            return refuse(
                    exchange,
                    Problem.INVALID_VALUE,
                    "a token is shown only once, so its answer cannot be kept; leave out " + HEADER);
        }
        if (!KEY.matcher(key).matches()) {
            return refuse(
                    exchange,
                    Problem.INVALID_VALUE,
                    HEADER + " must be 1 to 255 visible ASCII characters: " + Checks.shown(key));
        }
        Allowance allowance = allowances.of(access);
        Optional<ProblemDetail> full = allowance.refusalToKeep();
        if (full.isPresent()) {
            return Problems.write(exchange, full.get());
        }
        String stored = Digests.sha256(access.caller() + "\n" + key);
        return WholeBody.read(exchange.getRequest().getBody(), maxBodyBytes)
                .defaultIfEmpty(new byte[0])
                .map(body -> Keyed.of(stored, allowance, access.grant(), exchange.getRequest(), body))
                .flatMap(keyed -> ToItsEnd.of(work(keyed, exchange, chain)))
                .flatMap(answer -> answer)
                .onErrorResume(
                        DataBufferLimitException.class, tooLarge -> Problems.write(exchange, Problem.bodyTooLarge()))
                .onErrorResume(
                        DelayJobException.class,
                        failure -> Problems.write(exchange, Problem.redisUnavailable(failure)));
    }

    /** Does what is asked, unless that was done before. Leads to the writing of the answer. */
    private Mono<Mono<Void>> work(Keyed keyed, ServerWebExchange exchange, WebFilterChain chain) {
        return Mono.fromFuture(() -> keys.begin(keyed.key(), keyed.note()))
                .flatMap(first -> first
                        ? Mono.using(
                                () -> renewals(keyed).subscribe(),
                                renewals -> begin(keyed, exchange, chain),
                                Disposable::dispose)
                        : Mono.fromFuture(() -> keys.find(keyed.key())).map(kept -> repeat(kept, keyed, exchange)));
    }

    /** Renews the note of a request while it is under way; one that fails is left out. */
    private Flux<Long> renewals(Keyed keyed) {
        return Flux.interval(KeyStore.RENEWED)
                .onBackpressureDrop()
                .concatMap(tick -> Mono.fromFuture(() -> keys.renew(keyed.key(), keyed.note()))
                        .onErrorComplete());
    }

    private Mono<Mono<Void>> begin(Keyed keyed, ServerWebExchange exchange, WebFilterChain chain) {
        exchange.getAttributes().put(JOB_IDS, ID_PREFIX + keyed.key().substring(0, ID_LENGTH));
        KeptAnswer response =
                new KeptAnswer(exchange.getResponse(), keyed.digest(), keyed.grant(), answer -> keep(keyed, answer));
        ServerWebExchange kept =
                exchange.mutate().request(keyed.request()).response(response).build();
        return chain.filter(kept)
                .onErrorResume(unanswered -> forget(keyed).then(Mono.error(unanswered)))
                .thenReturn(Mono.defer(response::write));
    }

    /** A request that no route answers, for one. */
    private Mono<Void> forget(Keyed keyed) {
        return Mono.fromFuture(() -> keys.forget(keyed.key(), keyed.note()))
                .then()
                .onErrorComplete();
    }

    /** If that fails, a repeat is made again when the note that the request is under way ends. */
    private Mono<Void> keep(Keyed keyed, Kept answer) {
        return Mono.fromFuture(() -> answer.isError()
                        ? keys.forget(keyed.key(), keyed.note()).thenAccept(forgotten -> {})
                        : keys.answered(keyed.key(), answer)
                                .thenAccept(bytes -> keyed.allowance().kept(bytes)))
                .onErrorResume(failure -> {
                    log.warn("an answer could not be kept for a repeat: {}", failure.getMessage());
                    return Mono.empty();
                });
    }

    private static Mono<Void> repeat(Kept kept, Keyed keyed, ServerWebExchange exchange) {
        if (!kept.digest().isEmpty() && !kept.digest().equals(keyed.digest())) {
            return refuse(
                    exchange,
                    Problem.KEY_REUSED,
                    "this " + HEADER + " was used with another path or body; use a new one");
        } else if (kept.isUnderWay()) {
            return refuse(exchange, Problem.KEY_IN_USE, "ask again with the same " + HEADER + " in a second");
        } else if (!kept.isFor(keyed.grant())) {
            return refuse(
                    exchange,
                    Problem.FORBIDDEN,
                    "the caller has fewer rights than when this " + HEADER
                            + " was first used, so that answer is not for it; use a new key");
        }
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(kept.status());
        response.getHeaders().set(REPLAYED, "true");
        if (kept.contentType() != null) {
            response.getHeaders().set(HttpHeaders.CONTENT_TYPE, kept.contentType());
        }
        byte[] body = kept.body().getBytes(StandardCharsets.UTF_8);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }

    private static Mono<Void> refuse(ServerWebExchange exchange, Problem problem, String detail) {
        return Problems.write(exchange, problem.detail(detail));
    }
}
