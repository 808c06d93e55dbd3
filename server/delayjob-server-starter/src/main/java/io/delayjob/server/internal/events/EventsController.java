package io.delayjob.server.internal.events;

import io.delayjob.redisson.events.Position;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.web.Api;
import io.delayjob.support.Checks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Streams the events of all nodes as server-sent events. */
@ApiController
@RequestMapping("/events")
public final class EventsController {

    private static final String LAST_EVENT_ID = "Last-Event-ID";

    private static final int AT_ONCE = 16;

    private final Hub hub;

    /** Routes over a hub. */
    public EventsController(Hub hub) {
        this.hub = hub;
    }

    @GetMapping(name = "followEvents", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Mono<Void> events(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam Optional<List<String>> queue,
            @RequestParam Optional<List<String>> kind,
            @RequestHeader(name = LAST_EVENT_ID, required = false) @Nullable String lastEventId,
            ServerWebExchange exchange) {
        EventFilter filter = EventFilter.of(access, queue.orElse(List.of()), kind.orElse(List.of()));
        Position after = lastEventId == null ? null : position(lastEventId);
        return hub.open(filter, after, access)
                .flatMap(messages ->
                        answer(messages.publishOn(Api.threadOf(exchange), AT_ONCE), exchange.getResponse()));
    }

    private static Position position(String id) {
        return Position.parse(id)
                .orElseThrow(() -> new IllegalArgumentException(LAST_EVENT_ID + " must be the id of an event, such as"
                        + " 1766000000000-0: " + Checks.shown(id) + "; leave it out to begin with what happens next"));
    }

    /** No proxy may keep it, or collect it before it passes it on. Messages that came together are written at once. */
    private static Mono<Void> answer(Flux<Flux<String>> messages, ServerHttpResponse response) {
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.TEXT_EVENT_STREAM);
        headers.setCacheControl(CacheControl.noStore());
        headers.set("X-Accel-Buffering", "no");
        return response.writeAndFlushWith(messages.map(
                texts -> texts.map(text -> response.bufferFactory().wrap(text.getBytes(StandardCharsets.UTF_8)))));
    }
}
