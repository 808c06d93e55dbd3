package io.delayjob.server.console.internal.audit;

import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.Api;
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
 * submits, claims and settlements.
 */
@Order(AuditFilter.ORDER)
public final class AuditFilter implements WebFilter {

    /** After those that find out who calls. */
    static final int ORDER = 0;

    private static final Pattern WORK = Pattern.compile("(/queues/[^/]+)?/(jobs|jobs/batch|claims)|/settlements");
    private static final Pattern QUEUE = Pattern.compile("/queues/([^/]+)/.*");

    private final Audit audit;

    /** Writes to an audit. */
    public AuditFilter(Audit audit) {
        this.audit = audit;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        Optional<String> path = path(exchange);
        HttpMethod method = exchange.getRequest().getMethod();
        if (access == null
                || path.isEmpty()
                || HttpMethod.GET.equals(method)
                || HttpMethod.HEAD.equals(method)
                || WORK.matcher(path.get()).matches()) {
            return chain.filter(exchange);
        }
        exchange.getResponse()
                .beforeCommit(() -> audit.write(
                        access, "api", method.name(), queue(path.get()), path.get(), status(exchange), Change.NONE));
        return chain.filter(exchange);
    }

    private static Optional<String> path(ServerWebExchange exchange) {
        String path = exchange.getRequest().getPath().pathWithinApplication().value();
        return path.startsWith(Api.BASE + "/") ? Optional.of(path.substring(Api.BASE.length())) : Optional.empty();
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
