package io.delayjob.server.console.internal.look;

import io.delayjob.redisson.history.Span;
import io.delayjob.server.Access;
import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.access.AtOnce;
import io.delayjob.server.console.internal.access.Sessions;
import io.delayjob.server.console.internal.pages.Assets;
import io.delayjob.server.console.internal.pages.BadInput;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.web.Api;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The first page: all queues at a glance, what needs attention first; and its changes, second by second. */
@RestController
@RequestMapping(Pages.PATH)
public final class OverviewController {

    private static final String HOURS = "4h";
    private static final String DAY = "24h";
    private static final Duration CHECK = Duration.ofSeconds(10);
    private static final ServerSentEvent<String> AWAY =
            ServerSentEvent.<String>builder("away").event("away").build();
    private static final ServerSentEvent<String> UPGRADED =
            ServerSentEvent.<String>builder("upgraded").event("upgraded").build();
    private static final ServerSentEvent<String> RELOAD =
            ServerSentEvent.<String>builder("reload").event("reload").build();
    /** Ends a stream, and is not sent. */
    private static final ServerSentEvent<String> END =
            ServerSentEvent.<String>builder("end").build();

    private final Pages pages;
    private final Looker looker;
    private final Assets assets;
    private final Sessions sessions;
    private final AtOnce followed;
    private final Map<Live, Flux<List<String>>> lives = new ConcurrentHashMap<>();

    /** Pages over looks. */
    public OverviewController(Pages pages, Looker looker, Assets assets, Sessions sessions, AtOnce followed) {
        this.pages = pages;
        this.looker = looker;
        this.assets = assets;
        this.sessions = sessions;
        this.followed = followed;
    }

    @GetMapping({"", "/"})
    Mono<ResponseEntity<String>> overview(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = HOURS) String last,
            @RequestParam(defaultValue = "") String queue,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        View view = new View(access.grant(), queue, span(last));
        return looker.now(access.grant()).map(look -> pages.show(exchange, view.page(look)));
    }

    private static Span span(String last) {
        return switch (last) {
            case HOURS -> Span.HOURS;
            case DAY -> Span.DAY;
            default -> throw BadInput.in("last", "choice", HOURS + ", " + DAY, Checks.shown(last));
        };
    }

    /**
     * The part of the overview that a caller asked for.
     *
     * @param grant gives the queues that the caller may see
     * @param queue the only queue; empty for all
     * @param span the time that is looked back
     */
    private record View(Grant grant, String queue, Span span) {

        Page page(Look look) {
            Look seen = look.of(name -> queue.isEmpty() || queue.equals(name));
            Past past = seen.past();
            Plot backlog = past.backlog(span);
            return Page.of("overview")
                    .with("look", seen)
                    .with("concerns", seen.concerns())
                    .with("queue", queue)
                    .with("span", span)
                    .with("last", span == Span.DAY ? DAY : HOURS)
                    .with("lasts", List.of(HOURS, DAY))
                    .with("rates", past.rates())
                    .with("live", past.work(Span.MINUTES))
                    .with("work", past.work(span))
                    .with("lateness", past.lateness(span))
                    .with("backlog", backlog)
                    .with("unknown", 1000L * span.seconds() * backlog.unknown())
                    .with("nodes", seen.nodes());
        }
    }

    /**
     * Ends when the token or the sign-in does: the page then asks for itself, and is led to sign in. A page of another release, which was open while the
     * server was upgraded, is told so.
     */
    @GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<Flux<ServerSentEvent<String>>> live(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = HOURS) String last,
            @RequestParam(defaultValue = "") String queue,
            @RequestParam(name = "assets", required = false) @Nullable String release,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        View view = new View(access.grant(), queue, span(last));
        Live live = new Live(view, pages.language(exchange), pages.base(exchange));
        boolean same = release == null || release.equals(assets.version());
        Changes changes = new Changes(same);
        Flux<ServerSentEvent<String>> looks = lives.computeIfAbsent(live, this::looks)
                .onBackpressureLatest()
                .map(lines -> lines.isEmpty() ? AWAY : changes.to(lines))
                // A server that stops does not wait for those who watch.
                .concatWithValues(END);
        Flux<ServerSentEvent<String>> ended = Flux.interval(CHECK)
                .concatMap(tick -> Mono.zip(
                                Mono.fromFuture(access.stillValid()), sessions.isOpen(exchange), Boolean::logicalAnd)
                        .onErrorReturn(true))
                .filter(valid -> !valid)
                .next()
                .then()
                .thenReturn(RELOAD)
                .flux();
        Flux<ServerSentEvent<String>> first = same ? Flux.empty() : Flux.just(UPGRADED);
        return ResponseEntity.ok()
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Accel-Buffering", "no")
                .body(followed.stream(
                        access,
                        Flux.merge(first, looks, ended)
                                .takeWhile(Predicate.not(END::equals))
                                .takeUntil(RELOAD::equals)
                                .publishOn(Api.threadOf(exchange), 1)));
    }

    /** The key of a live stream: tabs with the same view, language and base address share one. */
    private record Live(View view, Locale language, String base) {}

    /** Renders each look once, for all tabs that show the same, until the last of them is closed: its lines, or none while nothing was ever seen. */
    private Flux<List<String>> looks(Live live) {
        return looker.watch(live.view().grant())
                .onBackpressureLatest()
                .publishOn(Schedulers.boundedElastic(), 1)
                .map(look -> look.failure() == null || look.isSomething() ? shown(live, look) : List.<String>of())
                .doFinally(how -> lives.remove(live))
                .replay(1)
                .refCount();
    }

    private List<String> shown(Live live, Look look) {
        return Changes.lines(
                pages.part(live.base(), live.language(), live.view().page(look), "live"));
    }
}
