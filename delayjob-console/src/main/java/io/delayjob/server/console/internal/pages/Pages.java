package io.delayjob.server.console.internal.pages;

import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.Problem;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import reactor.core.publisher.Mono;

/** Renders pages with a template engine of its own, which no view of the application meets. */
public final class Pages {

    /** Where the pages are, as a pattern of routes. */
    public static final String PATH = "${delayjob.console.path:/console}";

    /** The name of the cookie that says who signed in. */
    public static final String SESSION_COOKIE = "delayjob-console";

    private static final String LANGUAGE_COOKIE = "delayjob-console-language";
    private static final String NOTICE = "notice";

    /** After how many seconds a page that could not be shown is asked for again. */
    private static final String AGAIN = "3";

    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

    /** Nothing from elsewhere, nothing inline, and in no frame. */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final String path;
    private final boolean readOnly;
    private final Set<String> parts;
    private final Assets assets;
    private final TemplateEngine engine = engine();

    /**
     * The pages under a path.
     *
     * @param path the path within the application
     * @param readOnly whether nothing is offered that changes anything
     * @param parts the pages that this application has and others do not: journal, targets, tokens
     */
    public Pages(String path, boolean readOnly, Set<String> parts, Assets assets) {
        this.path = path;
        this.readOnly = readOnly;
        this.parts = Set.copyOf(parts);
        this.assets = assets;
    }

    private static TemplateEngine engine() {
        ClassLoaderTemplateResolver templates = new ClassLoaderTemplateResolver(Pages.class.getClassLoader());
        templates.setPrefix("io/delayjob/server/console/templates/");
        templates.setSuffix(".html");
        templates.setTemplateMode(TemplateMode.HTML);
        templates.setCharacterEncoding(StandardCharsets.UTF_8.name());
        TemplateEngine engine = new TemplateEngine();
        engine.setTemplateResolver(templates);
        engine.setMessageResolver(new Texts());
        return engine;
    }

    /** The path of a request within the console, beginning with a slash; empty if it is for something else. */
    public Optional<String> pathOf(ServerWebExchange exchange) {
        String within = exchange.getRequest().getPath().pathWithinApplication().value();
        if (within.equals(path)) {
            return Optional.of("/");
        }
        return within.startsWith(path + "/") ? Optional.of(within.substring(path.length())) : Optional.empty();
    }

    /** What the addresses of all pages begin with. */
    public String base(ServerWebExchange exchange) {
        return exchange.getRequest().getPath().contextPath().value() + path;
    }

    /** Adds what every answer says: what browsers may load, and that nothing is kept. */
    public void addHeaders(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getResponse().getHeaders();
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "same-origin");
        headers.set("X-Frame-Options", "DENY");
        headers.setCacheControl("no-store");
        String wanted = exchange.getRequest().getQueryParams().getFirst("lang");
        if (wanted != null) {
            exchange.getResponse()
                    .addCookie(ResponseCookie.from(
                                    LANGUAGE_COOKIE, Texts.language(wanted).getLanguage())
                            .path(base(exchange))
                            .sameSite("Lax")
                            .maxAge(Duration.ofDays(365))
                            .build());
        }
    }

    /** A page. */
    public ResponseEntity<String> show(ServerWebExchange exchange, Page page) {
        return ResponseEntity.ok().contentType(HTML).body(render(exchange, page));
    }

    /** The text of a page, or of one of its parts. */
    public String render(ServerWebExchange exchange, Page page, String... parts) {
        return render(language(exchange), common(exchange), page, Set.of(parts));
    }

    /**
     * The text of a part of a page that looks the same to all who see it at one address in one language.
     *
     * @param base what the addresses of all pages begin with
     */
    public String part(String base, Locale language, Page page, String part) {
        return render(language, everybodys(base, language), page, Set.of(part));
    }

    private String render(Locale language, Map<String, @Nullable Object> values, Page page, Set<String> parts) {
        Context context = new Context(language, values);
        context.setVariables(page.values());
        return parts.isEmpty()
                ? engine.process(page.template(), context)
                : engine.process(page.template(), parts, context);
    }

    private Map<String, @Nullable Object> common(ServerWebExchange exchange) {
        Locale language = language(exchange);
        Access access = exchange.getAttribute(Access.ATTRIBUTE);
        Map<String, @Nullable Object> values = everybodys(base(exchange), language);
        values.put("here", here(exchange.getRequest()));
        values.put("notice", notice(exchange.getRequest(), language));
        values.put("who", access == null ? null : Who.of(access, readOnly, isSignedIn(exchange)));
        return values;
    }

    private Map<String, @Nullable Object> everybodys(String base, Locale language) {
        Map<String, @Nullable Object> values = new HashMap<>();
        values.put("base", base);
        values.put("lang", language.getLanguage());
        values.put("other", Texts.LANGUAGES.get(language.equals(Texts.LANGUAGES.get(0)) ? 1 : 0));
        values.put("f", new Formats(language));
        values.put("assets", assets.version());
        values.put("readOnly", readOnly);
        values.put("parts", parts);
        return values;
    }

    private static boolean isSignedIn(ServerWebExchange exchange) {
        return exchange.getRequest().getCookies().containsKey(SESSION_COOKIE);
    }

    /** What was done, by the address that a change led to; only what the console itself says. */
    private static @Nullable String notice(ServerHttpRequest request, Locale language) {
        String key = request.getQueryParams().getFirst(NOTICE);
        if (key == null) {
            return null;
        }
        String text = Texts.text(language, "notice." + key, "");
        return text.equals("notice." + key) ? null : text;
    }

    /** The language of who asks: chosen, or else that of the browser. */
    public Locale language(ServerWebExchange exchange) {
        String wanted = exchange.getRequest().getQueryParams().getFirst("lang");
        HttpCookie chosen = exchange.getRequest().getCookies().getFirst(LANGUAGE_COOKIE);
        if (wanted != null) {
            return Texts.language(wanted);
        } else if (chosen != null) {
            return Texts.language(chosen.getValue());
        }
        Locale browsers = exchange.getLocaleContext().getLocale();
        return Texts.language(browsers == null ? null : browsers.getLanguage());
    }

    /** Leads to a page of the console after a change. */
    public ResponseEntity<String> redirect(ServerWebExchange exchange, String to) {
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create(base(exchange) + (to.equals("/") ? "" : to)))
                .build();
    }

    /** Leads to a page of the console that says what was done. */
    public ResponseEntity<String> done(ServerWebExchange exchange, String to, String notice) {
        return redirect(exchange, to + (to.contains("?") ? "&" : "?") + NOTICE + "=" + notice);
    }

    /** A part of an address. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** A place within the console that an address names; its first page if it names none. */
    public String within(@Nullable String place) {
        return place != null && place.matches("/[A-Za-z0-9/._~?&=%+:,;@!*'()$-]*") && !place.startsWith("//")
                ? place
                : "/";
    }

    private String here(ServerHttpRequest request) {
        String query = request.getURI().getRawQuery();
        String within = request.getPath().pathWithinApplication().value();
        String place = within.length() > path.length() ? within.substring(path.length()) : "/";
        return within(query == null ? place : place + "?" + query);
    }

    /** Shows what the filters and routes of the API answer with a problem; who has to sign in is led to do so. */
    public Mono<Void> problem(ServerWebExchange exchange, ProblemDetail problem) {
        ServerHttpResponse response = exchange.getResponse();
        boolean signsIn = pathOf(exchange).filter("/login"::equals).isPresent();
        if (problem.getStatus() == HttpStatus.UNAUTHORIZED.value() && !signsIn) {
            response.setStatusCode(HttpStatus.SEE_OTHER);
            response.getHeaders()
                    .setLocation(URI.create(base(exchange) + "/login?to=" + encoded(here(exchange.getRequest()))));
            return response.setComplete();
        }
        response.setRawStatusCode(problem.getStatus());
        Problem.addHeaders(problem, response.getHeaders());
        response.getHeaders().setContentType(HTML);
        boolean passing = problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value()
                && HttpMethod.GET.equals(exchange.getRequest().getMethod());
        if (passing) {
            response.getHeaders().set("Refresh", AGAIN);
        }
        Page page = (signsIn ? Page.of("login") : Page.of("problem")).with("again", passing ? AGAIN : null);
        byte[] body = render(exchange, page.with("problem", problem)).getBytes(StandardCharsets.UTF_8);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
