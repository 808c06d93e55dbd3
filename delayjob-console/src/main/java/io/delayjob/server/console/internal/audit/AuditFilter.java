package io.delayjob.server.console.internal.audit;

import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.Api;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpMethod;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Writes down who changed something by the API, as the console does for itself. What programs do all the time is no change of that kind:
 * submits, claims and settlements, and that an application which is called back is still there.
 */
@Order(AuditFilter.ORDER)
public final class AuditFilter implements WebFilter {

    /** After those that find out who calls. */
    static final int ORDER = 0;

    private static final Pattern WORK =
            Pattern.compile("(/queues/[^/]+)?/(jobs|jobs/batch|claims)|/settlements|/clients");
    private static final Pattern QUEUE = Pattern.compile("/queues/([^/]+)/.*");

    private final Audit audit;
    private final List<PathState> states;

    /**
     * Writes to an audit.
     *
     * @param states tell how something was before a change, and how it is afterwards
     */
    public AuditFilter(Audit audit, List<PathState> states) {
        this.audit = audit;
        this.states = List.copyOf(states);
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        Optional<String> path = Api.pathOf(exchange);
        HttpMethod method = exchange.getRequest().getMethod();
        if (access == null
                || path.isEmpty()
                || HttpMethod.GET.equals(method)
                || HttpMethod.HEAD.equals(method)
                || WORK.matcher(path.get()).matches()) {
            return chain.filter(exchange);
        }
        Mono<Optional<String>> state = state(method + " " + path.get(), access);
        return state.flatMap(before -> {
            exchange.getResponse()
                    .beforeCommit(() -> changed(exchange, before, state)
                            .flatMap(change -> audit.write(
                                    access,
                                    "api",
                                    method.name(),
                                    queue(path.get()),
                                    path.get(),
                                    status(exchange),
                                    change)));
            return chain.filter(exchange);
        });
    }

    /** How what a request changes is when this is asked; empty if nobody tells. That it cannot be told hinders no change. */
    private Mono<Optional<String>> state(String route, Access access) {
        return Mono.defer(() -> states.stream()
                        .flatMap(one -> one.of(route, access).stream())
                        .findFirst()
                        .orElse(Mono.empty()))
                .map(Optional::of)
                .onErrorReturn(Optional.empty())
                .defaultIfEmpty(Optional.empty());
    }

    private static Mono<Change> changed(
            ServerWebExchange exchange, Optional<String> before, Mono<Optional<String>> state) {
        return before.isPresent() && status(exchange).startsWith("2")
                ? state.map(after -> new Change(before.get(), after.orElse(null), null))
                : Mono.just(Change.NONE);
    }

    private static String queue(String path) {
        Matcher queue = QUEUE.matcher(path);
        return queue.matches() ? queue.group(1) : "";
    }

    private static String status(ServerWebExchange exchange) {
        return exchange.getResponse().getStatusCode() == null
                ? "200"
                : String.valueOf(exchange.getResponse().getStatusCode().value());
    }
}
