package io.delayjob.server.console.internal.access;

import io.delayjob.DelayJobException;
import io.delayjob.server.Access;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.web.Api;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import java.util.Optional;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Makes requests of pages what those of the API are: the token that somebody signed in with becomes the header that a program would send,
 * and the filters of the API decide what may be done with it. What they refuse is shown as a page.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ConsoleFilter implements WebFilter {

    private static final PathPattern LOGOUT = PathPatternParser.defaultInstance.parse("/logout");
    private static final PathPattern ASSETS = PathPatternParser.defaultInstance.parse("/assets/**");

    private final Pages pages;
    private final Sessions sessions;
    private final boolean readOnly;

    /**
     * A filter of the pages.
     *
     * @param readOnly whether nobody may change anything here
     */
    public ConsoleFilter(Pages pages, Sessions sessions, boolean readOnly) {
        this.pages = pages;
        this.sessions = sessions;
        this.readOnly = readOnly;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        return pages.pathOf(exchange)
                .map(path -> filter(exchange, chain, path))
                .orElseGet(() -> chain.filter(exchange));
    }

    private Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain, PathContainer path) {
        pages.addHeaders(exchange);
        Problems.show(exchange, pages::problem);
        Optional<ProblemDetail> refusal = pages.refusal(exchange);
        if (refusal.isPresent()) {
            return Problems.write(exchange, refusal.get());
        }
        if (!SameOrigin.allows(exchange.getRequest())) {
            return Problems.write(
                    exchange,
                    Problem.FORBIDDEN.detail(
                            "the request was not made by a page of this console; open the console and try again"));
        }
        boolean get = HttpMethod.GET.equals(exchange.getRequest().getMethod());
        if (!get && readOnly && !Pages.LOGIN.matches(path) && !LOGOUT.matches(path)) {
            return Problems.write(
                    exchange, Problem.FORBIDDEN.detail("this console is read-only (delayjob.console.read-only)"));
        }
        if (ASSETS.matches(path) || LOGOUT.matches(path) || (get && Pages.LOGIN.matches(path))) {
            return chain.filter(exchange);
        }
        Api.serve(exchange);
        return token(exchange, path)
                .map(found -> found.map(token -> withToken(exchange, token)).orElse(exchange))
                .onErrorResume(DelayJobException.class, failure -> refused(exchange, Problem.redisUnavailable(failure)))
                .onErrorResume(ErrorResponseException.class, failure -> refused(exchange, failure.getBody()))
                .onErrorResume(DataBufferLimitException.class, tooLarge -> refused(exchange, Problem.bodyTooLarge()))
                .flatMap(chain::filter);
    }

    private static Mono<ServerWebExchange> refused(ServerWebExchange exchange, ProblemDetail problem) {
        return Problems.write(exchange, problem).then(Mono.empty());
    }

    /** The token from the sign-in form, or else of the session cookie, which an Authorization header overrides; empty if there is none. */
    private Mono<Optional<String>> token(ServerWebExchange exchange, PathContainer path) {
        if (Pages.LOGIN.matches(path)) {
            return exchange.getFormData()
                    .map(form -> Optional.ofNullable(form.getFirst("token"))
                            .map(String::strip)
                            .filter(token -> !token.isEmpty()));
        }
        HttpCookie cookie = exchange.getRequest().getCookies().getFirst(Pages.SESSION_COOKIE);
        return cookie == null || exchange.getRequest().getHeaders().containsHeader(HttpHeaders.AUTHORIZATION)
                ? Mono.just(Optional.empty())
                : Mono.fromFuture(() -> sessions.token(cookie.getValue()))
                        .doOnNext(found -> exchange.getAttributes()
                                .put(found.isPresent() ? Pages.SIGN_IN : Access.UNKNOWN_SIGN_IN, cookie.getValue()))
                        // A client that connects lazily waits for its connection on the thread of its first call.
                        .subscribeOn(Schedulers.boundedElastic());
    }

    private static ServerWebExchange withToken(ServerWebExchange exchange, String token) {
        ServerHttpRequest request = exchange.getRequest()
                .mutate()
                .headers(headers -> headers.setBearerAuth(token))
                .build();
        return exchange.mutate().request(request).build();
    }
}
