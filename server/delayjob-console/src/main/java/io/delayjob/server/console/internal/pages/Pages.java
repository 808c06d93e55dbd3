package io.delayjob.server.console.internal.pages;

import io.delayjob.server.Access;
import io.delayjob.server.web.BasePath;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpCookie;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.MultiValueMap;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.thymeleaf.TemplateEngine;
import org.thymeleaf.context.Context;
import org.thymeleaf.templatemode.TemplateMode;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;
import reactor.core.publisher.Mono;

/** Renders pages with a template engine of its own, which no view of the application meets. */
public final class Pages {

    /** Where the pages are, as a pattern of routes. */
    public static final String PATH = "${delayjob.console.path:/console}";

    /** The address of the sign-in, within the console. */
    public static final PathPattern LOGIN = PathPatternParser.defaultInstance.parse("/login");

    /** The address of what a page follows, within the console. */
    public static final PathPattern LIVE = PathPatternParser.defaultInstance.parse("/live");

    /** The name of the cookie that says who signed in. */
    public static final String SESSION_COOKIE = "delayjob-console";

    /** The attribute of a request that was made with a sign-in of the console; its value is the secret of the cookie. */
    public static final String SIGN_IN = "delayjob.console.sign-in";

    /** Says which release's pages an answer belongs to, so that a page of another one is loaded anew. */
    static final String RELEASE = "Delayjob-Console";

    /** The property of a problem that names the field whose value is refused. */
    static final String FIELD = "field";

    private static final String LANGUAGE_COOKIE = "delayjob-console-language";
    private static final String NOTICE = "notice";
    private static final String COUNT = "count";
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final String TO = "to";
    private static final String ENDED = "ended";

    /** After how many seconds a page that could not be shown is asked for again. */
    private static final String AGAIN = "3";

    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

    /** Nothing from elsewhere, nothing inline, and in no frame. */
    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
                    + " form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final BasePath path;
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
        this.path = new BasePath(path);
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

    /** The path of a request within the console; empty if it is for something else. */
    public Optional<PathContainer> pathOf(ServerWebExchange exchange) {
        return path.rest(exchange);
    }

    /** The answer to a request for a page whose address is written in a way that is refused; empty if it is not. */
    public Optional<ProblemDetail> refusal(ServerWebExchange exchange) {
        return path.refusal(exchange);
    }

    /** The beginning of the addresses of all pages. */
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
        headers.set(RELEASE, assets.version());
        if (!HttpMethod.GET.equals(exchange.getRequest().getMethod())) {
            // The answer to a change is no page that a browser could get from that address again.
            headers.set("HX-Push-Url", "false");
        }
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

    /** The sign-in, which leads to a place of the console. */
    public ResponseEntity<String> signIn(ServerWebExchange exchange) {
        MultiValueMap<String, String> query = exchange.getRequest().getQueryParams();
        return show(exchange, signInTo(query.getFirst(TO)).with("ended", query.containsKey(ENDED)));
    }

    private Page signInTo(@Nullable String to) {
        return Page.of("login").with(TO, to == null ? null : within(to));
    }

    /** Says that the console has no such page. */
    public Mono<Void> unknown(ServerWebExchange exchange) {
        Locale language = language(exchange);
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.NOT_FOUND,
                Texts.text(
                        language,
                        "page.unknown.hint",
                        Checks.shown(pathOf(exchange).map(PathContainer::value).orElse("/"))));
        problem.setTitle(Texts.text(language, "page.unknown"));
        return problem(exchange, problem);
    }

    /** The text of a page, or of one of its parts. */
    public String render(ServerWebExchange exchange, Page page, String... parts) {
        return render(language(exchange), common(exchange), page, Set.of(parts));
    }

    /**
     * The text of a part of a page that looks the same to all who see it at one address in one language.
     *
     * @param base the beginning of the addresses of all pages
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
        values.put("now", Instant.now());
        values.put("lang", language.getLanguage());
        values.put("other", Texts.LANGUAGES.get(language.equals(Texts.LANGUAGES.get(0)) ? 1 : 0));
        values.put("f", new Formats(language));
        values.put("assets", assets.version());
        values.put("readOnly", readOnly);
        values.put("parts", parts);
        return values;
    }

    private static boolean isSignedIn(ServerWebExchange exchange) {
        return exchange.getAttribute(SIGN_IN) != null;
    }

    /** The notice of the change that led to this address, by the key in its query; null if the console has no text for the key. */
    private static @Nullable String notice(ServerHttpRequest request, Locale language) {
        String key = request.getQueryParams().getFirst(NOTICE);
        if (key == null) {
            return null;
        }
        String text = Texts.text(language, "notice." + key, counts(request));
        return text.equals("notice." + key) ? null : text;
    }

    /** The numbers for the notice; anything else in the query is no text of the console. */
    private static Object[] counts(ServerHttpRequest request) {
        return request.getQueryParams().getOrDefault(COUNT, List.of()).stream()
                .map(text -> NUMBER.matcher(text).matches() ? Long.valueOf(text) : Long.valueOf(0))
                .toArray();
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

    /**
     * Leads to a page of the console that says what was done.
     *
     * @param to its address, with its parts encoded
     * @param counts the numbers of the notice
     */
    public ResponseEntity<String> done(ServerWebExchange exchange, String to, String notice, Object... counts) {
        return redirect(
                exchange,
                UriComponentsBuilder.fromUriString(to)
                        .replaceQueryParam(NOTICE, notice)
                        .replaceQueryParam(COUNT, counts)
                        .build(true)
                        .toUriString());
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
        return place(request.getPath().pathWithinApplication().value(), request.getURI());
    }

    private String place(String pathWithinApplication, URI address) {
        String query = address.getRawQuery();
        int base = path.toString().length();
        String place = pathWithinApplication.length() > base ? pathWithinApplication.substring(base) : "/";
        return within(query == null ? place : place + "?" + query);
    }

    /** The page that somebody was on who asked for a change; none where the browser does not say. */
    private @Nullable String back(ServerWebExchange exchange) {
        String referrer = exchange.getRequest().getHeaders().getFirst(HttpHeaders.REFERER);
        if (referrer == null || isGet(exchange)) {
            return null;
        }
        try {
            URI address = URI.create(referrer);
            String context = exchange.getRequest().getPath().contextPath().value();
            String from = Objects.requireNonNullElse(address.getRawPath(), "");
            return (from + "/").startsWith(context + path + "/")
                    ? place(from.substring(context.length()), address)
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static boolean isGet(ServerWebExchange exchange) {
        return HttpMethod.GET.equals(exchange.getRequest().getMethod());
    }

    /** Leads to the sign-in, and from there to the page that was asked for, or on which a change was asked for. */
    private Mono<Void> leadToSignIn(ServerWebExchange exchange) {
        String back = back(exchange);
        String to = isGet(exchange) ? here(exchange.getRequest()) : back == null ? "/" : back;
        boolean ended = exchange.getRequest().getCookies().containsKey(SESSION_COOKIE);
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(HttpStatus.SEE_OTHER);
        response.getHeaders()
                .setLocation(URI.create(base(exchange) + "/login?to=" + encoded(to) + (ended ? "&" + ENDED : "")));
        return response.setComplete();
    }

    /** The page of a sign-in that was refused leads to where it would have led. */
    private Mono<Page> refusedSignIn(ServerWebExchange exchange) {
        return exchange.getFormData()
                .mapNotNull(form -> form.getFirst(TO))
                .onErrorComplete()
                .map(this::signInTo)
                .defaultIfEmpty(signInTo(null));
    }

    /** Shows what the filters and routes of the API answer with a problem; who has to sign in is led to do so. */
    public Mono<Void> problem(ServerWebExchange exchange, ProblemDetail problem) {
        boolean signsIn = pathOf(exchange).filter(LOGIN::matches).isPresent();
        if (problem.getStatus() == HttpStatus.UNAUTHORIZED.value() && !signsIn) {
            return leadToSignIn(exchange);
        }
        Mono<Page> page =
                signsIn ? refusedSignIn(exchange) : Mono.just(Page.of("problem").with("back", back(exchange)));
        return page.flatMap(shown -> problem(exchange, problem, shown));
    }

    /** The title of a problem in a language: one of the kind of the problem, if it is of one. */
    private static @Nullable String title(ProblemDetail problem, Locale language) {
        return Stream.of(Problem.values())
                .filter(kind -> kind.is(problem))
                .findFirst()
                .map(kind -> Texts.text(language, "problem." + kind.name()))
                .orElse(problem.getTitle());
    }

    private Mono<Void> problem(ServerWebExchange exchange, ProblemDetail problem, Page shown) {
        ServerHttpResponse response = exchange.getResponse();
        response.setRawStatusCode(problem.getStatus());
        Problem.addHeaders(problem, response.getHeaders());
        response.getHeaders().setContentType(HTML);
        boolean passing = problem.getStatus() == HttpStatus.SERVICE_UNAVAILABLE.value() && isGet(exchange);
        if (passing) {
            response.getHeaders().set("Refresh", AGAIN);
        }
        Page page = shown.with("again", passing ? AGAIN : null)
                .with("title", title(problem, language(exchange)))
                .with(
                        FIELD,
                        problem.getProperties() == null
                                ? null
                                : problem.getProperties().get(FIELD))
                .with("problem", problem);
        byte[] body = render(exchange, page).getBytes(StandardCharsets.UTF_8);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(body)));
    }
}
