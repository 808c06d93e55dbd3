package io.delayjob.server.console.internal.look;

import io.delayjob.server.Role;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.access.Access;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The first page: all queues at a glance, what needs attention first; and its changes, second by second. */
@RestController
@RequestMapping(Pages.PATH)
public final class OverviewController {

    private static final Duration CHECK = Duration.ofSeconds(10);
    private static final ServerSentEvent<String> AWAY =
            ServerSentEvent.<String>builder("away").event("away").build();
    private static final ServerSentEvent<String> RELOAD =
            ServerSentEvent.<String>builder("reload").event("reload").build();

    private final Pages pages;
    private final Looker looker;

    /** Pages over looks. */
    public OverviewController(Pages pages, Looker looker) {
        this.pages = pages;
        this.looker = looker;
    }

    @GetMapping({"", "/"})
    Mono<ResponseEntity<String>> overview(
            @RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.READ);
        return looker.now().map(look -> pages.show(exchange, page(look.of(access::isFor))));
    }

    private static Page page(Look look) {
        return Page.of("overview")
                .with("look", look)
                .with("concerns", look.concerns())
                .with("throughput", look.throughput())
                .with("backlog", look.backlog())
                .with("nodes", look.nodes());
    }

    /** Ends when the sign-in does: the page then asks for itself, and is led to sign in. */
    @GetMapping(path = "/live", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    ResponseEntity<Flux<ServerSentEvent<String>>> live(
            @RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.READ);
        Flux<ServerSentEvent<String>> looks = looker.watch()
                .onBackpressureLatest()
                .publishOn(Schedulers.boundedElastic(), 1)
                .map(look -> look.failure() == null || look.isSomething()
                        ? ServerSentEvent.builder(oneLine(pages.render(exchange, page(look.of(access::isFor)), "live")))
                                .build()
                        : AWAY);
        Flux<ServerSentEvent<String>> ended = Flux.interval(CHECK)
                .concatMap(tick -> Mono.fromFuture(access.stillValid()).onErrorReturn(true))
                .filter(valid -> !valid)
                .next()
                .map(invalid -> RELOAD)
                .flux();
        return ResponseEntity.ok()
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header("X-Accel-Buffering", "no")
                .body(Flux.merge(looks, ended).takeUntil(RELOAD::equals));
    }

    private static String oneLine(String html) {
        return html.replace('\n', ' ');
    }
}
