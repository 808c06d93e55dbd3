package io.delayjob.server.console.internal.audit;

import io.delayjob.server.Access;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problems;
import io.delayjob.server.web.Route;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.PathContainer;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;

/**
 * Writes down who changed something by the API or an older protocol, as the console does for itself. Which route a request has, and which queue, is
 * what the router found. What programs do all the time is left out: submits, claims and settlements, and that an application which is called
 * back is still there. A request whose caller hangs up has an entry too, because its change may have been sent.
 */
@Order(AuditFilter.ORDER)
public final class AuditFilter implements WebFilter {

    /** After those that find out who calls, and which route. */
    static final int ORDER = 0;

    private final Audit audit;
    private final NavigableMap<PathPattern, PathState> states = new TreeMap<>();

    /**
     * Writes to an audit.
     *
     * @param states tell how something was before a change, and how it is afterwards
     */
    public AuditFilter(Audit audit, List<PathState> states) {
        this.audit = audit;
        states.forEach(state -> this.states.put(PathPatternParser.defaultInstance.parse(state.pattern()), state));
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        Optional<Route> route = Route.of(exchange).filter(Route::mayChange);
        Optional<PathContainer> address = Api.addressOf(exchange);
        return access == null || route.isEmpty() || address.isEmpty()
                ? chain.filter(exchange)
                : noting(exchange, chain, access, route.get().variables(), address.get());
    }

    private Mono<Void> noting(
            ServerWebExchange exchange,
            WebFilterChain chain,
            Access access,
            Map<String, String> variables,
            PathContainer address) {
        Mono<Optional<String>> state = state(address, variables, access);
        AtomicBoolean isNoted = new AtomicBoolean();
        BiFunction<String, Change, Mono<Void>> note = (outcome, change) -> isNoted.getAndSet(true)
                ? Mono.empty()
                : audit.write(
                        access,
                        "api",
                        exchange.getRequest().getMethod().name(),
                        variables.getOrDefault("queue", ""),
                        written(address) + query(exchange),
                        outcome,
                        change);
        return state.flatMap(before -> {
            exchange.getResponse()
                    .beforeCommit(() -> Route.isEveryday(exchange)
                            ? Mono.empty()
                            : changed(exchange, before, state).flatMap(change -> note.apply(status(exchange), change)));
            return chain.filter(exchange).doOnCancel(() -> hungUp(exchange, note));
        });
    }

    private static void hungUp(ServerWebExchange exchange, BiFunction<String, Change, Mono<Void>> note) {
        if (!Route.isEveryday(exchange)) {
            note.apply(Entry.NOT_ANSWERED, Change.saying(Route.noteOf(exchange)))
                    .subscribe();
        }
    }

    /** The address that is changed, with each part written in one way. */
    private static String written(PathContainer path) {
        return path.elements().stream().map(AuditFilter::written).collect(Collectors.joining());
    }

    private static String written(PathContainer.Element element) {
        return element instanceof PathContainer.PathSegment segment
                ? UriUtils.encodePathSegment(segment.valueToMatch(), StandardCharsets.UTF_8)
                : element.value();
    }

    /** Without a token. */
    private static String query(ServerWebExchange exchange) {
        MultiValueMap<String, String> params =
                new LinkedMultiValueMap<>(exchange.getRequest().getQueryParams());
        params.remove(Api.TOKEN_PARAMETER);
        return UriComponentsBuilder.newInstance().queryParams(params).build().toUriString();
    }

    /** How what a request changes is when this is asked; empty if nobody tells. That it cannot be told hinders no change. */
    private Mono<Optional<String>> state(PathContainer address, Map<String, String> variables, Access access) {
        return Mono.defer(() -> states.entrySet().stream()
                        .filter(one -> one.getKey().matches(address))
                        .findFirst()
                        .map(one -> one.getValue().of(variables, access))
                        .orElse(Mono.empty()))
                .map(Optional::of)
                .onErrorReturn(Optional.empty())
                .defaultIfEmpty(Optional.empty());
    }

    private static Mono<Change> changed(
            ServerWebExchange exchange, Optional<String> before, Mono<Optional<String>> state) {
        return before.isPresent() && status(exchange).startsWith("2")
                ? state.map(after -> new Change(before.get(), after.orElse(null), null))
                : Mono.just(Change.saying(Route.noteOf(exchange)));
    }

    /** Older protocols say in their answers that something failed, and not by the status. */
    private static String status(ServerWebExchange exchange) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        boolean isDone = status == null || status.is2xxSuccessful();
        if (isDone && Problems.isWritten(exchange)) {
            return "refused";
        }
        return status == null ? "200" : String.valueOf(status.value());
    }
}
