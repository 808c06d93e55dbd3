package io.delayjob.server.console.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.console.internal.pages.Pages;
import java.time.Duration;
import java.util.Objects;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Signs in with a token of the API, and out. */
@RestController
@RequestMapping(Pages.PATH)
public final class LoginController {

    /** The cookie is there for longer than the sign-in, so that who comes back is told that it has ended. */
    private static final Duration KNOWN = Duration.ofDays(30);

    private final Pages pages;
    private final Sessions sessions;

    /** Pages over sign-ins. */
    public LoginController(Pages pages, Sessions sessions) {
        this.pages = pages;
        this.sessions = sessions;
    }

    @GetMapping("/login")
    ResponseEntity<String> form(ServerWebExchange exchange) {
        return pages.signIn(exchange);
    }

    /** Comes here only with a token that is valid: the filters have seen to that. */
    @PostMapping("/login")
    Mono<ResponseEntity<String>> login(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return exchange.getFormData()
                .flatMap(form -> Mono.fromFuture(() -> sessions.open(
                                access.caller(),
                                Objects.requireNonNull(form.getFirst("token")).strip()))
                        .map(signIn -> {
                            exchange.getResponse()
                                    .addCookie(cookie(
                                            exchange, signIn, sessions.length().plus(KNOWN)));
                            return pages.redirect(exchange, pages.within(form.getFirst("to")));
                        }));
    }

    @PostMapping("/logout")
    Mono<ResponseEntity<String>> logout(ServerWebExchange exchange) {
        HttpCookie cookie = exchange.getRequest().getCookies().getFirst(Pages.SESSION_COOKIE);
        exchange.getResponse().addCookie(cookie(exchange, "", Duration.ZERO));
        ResponseEntity<String> answer = pages.redirect(exchange, "/login");
        return cookie == null
                ? Mono.just(answer)
                : Mono.fromFuture(() -> sessions.close(cookie.getValue())).thenReturn(answer);
    }

    private ResponseCookie cookie(ServerWebExchange exchange, String value, Duration age) {
        return ResponseCookie.from(Pages.SESSION_COOKIE, value)
                .path(pages.base(exchange))
                .httpOnly(true)
                .secure(isSecure(exchange.getRequest()))
                .sameSite("Lax")
                .maxAge(age)
                .build();
    }

    /** Whether the browser came by TLS, also if a proxy ended it and nothing else says so: by what the browser and the proxy say. */
    private static boolean isSecure(ServerHttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        return request.getSslInfo() != null
                || "https".equals(request.getURI().getScheme())
                || "https".equalsIgnoreCase(headers.getFirst("X-Forwarded-Proto"))
                || Objects.requireNonNullElse(headers.getOrigin(), "").startsWith("https://");
    }
}
