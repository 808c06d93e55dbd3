package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.JobSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Scan.Found;
import io.delayjob.server.console.internal.jobs.Scan.Place;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.access.Access;
import io.delayjob.server.internal.web.Blocking;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Finds jobs by what is written in the search box, and says how far it looked. */
@RestController
@RequestMapping(Pages.PATH)
public final class SearchController {

    private static final Scan.Bound BOUND = new Scan.Bound(50, 20_000, Duration.ofMillis(1500));
    private static final int AT_ONCE = 32;

    private final Pages pages;
    private final Looker looker;
    private final AsyncDelayJobAdmin admin;
    private final Redaction redaction;
    private final @Nullable DelayJobJournal journal;

    /** Searches an engine, and the journal where there is one. */
    public SearchController(
            Pages pages,
            Looker looker,
            AsyncDelayJobAdmin admin,
            Redaction redaction,
            ObjectProvider<DelayJobJournal> journal) {
        this.pages = pages;
        this.looker = looker;
        this.admin = admin;
        this.redaction = redaction;
        this.journal = journal.getIfAvailable();
    }

    @GetMapping("/search")
    Mono<ResponseEntity<String>> search(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(defaultValue = "") String q,
            @RequestParam(required = false) @Nullable String after,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        Filter filter = Filter.parse(q, redaction);
        if (filter.isEmpty()) {
            return Mono.just(pages.show(exchange, Page.of("search").with("q", q)));
        }
        if (filter.queue() != null) {
            access.require(filter.queue(), Role.READ);
        }
        return looker.fresh().flatMap(look -> {
            List<String> queues = queues(look.of(access::isFor), filter);
            Place from = after == null ? Place.BEGIN : Place.of(after);
            Mono<List<JobSnapshot>> exact = after == null ? exact(queues, filter) : Mono.just(List.of());
            return exact.flatMap(known -> known.isEmpty()
                            ? Mono.fromFuture(() -> Scan.of(
                                    admin, queues, filter.states(), prefix(filter), filter::matches, BOUND, from))
                            : Mono.just(new Found(known, known.size(), null)))
                    .zipWith(after == null ? journaled(access, filter) : Mono.just(List.<String>of()))
                    .map(both -> pages.show(
                            exchange,
                            page(q, filter, look.of(access::isFor), both.getT1())
                                    .with("journalQueues", both.getT2())
                                    .with("id", filter.id())));
        });
    }

    /** The queues whose journal has a job of the id, also one that has ended long ago; none if the journal does not answer. */
    private Mono<List<String>> journaled(Access access, Filter filter) {
        String id = prefix(filter);
        DelayJobJournal asked = journal;
        if (id == null || asked == null) {
            return Mono.just(List.of());
        }
        Mono<List<String>> queues = Blocking.call(() -> asked.queuesOf(id).stream()
                .filter(queue -> access.isFor(queue)
                        && (filter.queue() == null || filter.queue().equals(queue)))
                .toList());
        return queues.onErrorReturn(List.of());
    }

    /** The queues that a filter is about, of those that were looked at. */
    static List<String> queues(Look look, Filter filter) {
        return filter.queue() != null ? List.of(filter.queue()) : look.names();
    }

    static @Nullable String prefix(Filter filter) {
        return filter.id() == null || filter.id().length() > 128 ? null : filter.id();
    }

    /** The jobs that have this very id, which needs no scan. */
    private Mono<List<JobSnapshot>> exact(List<String> queues, Filter filter) {
        String id = prefix(filter);
        if (id == null) {
            return Mono.just(List.of());
        }
        return Flux.fromIterable(queues)
                .flatMapSequential(queue -> Mono.fromFuture(() -> admin.find(queue, id)), AT_ONCE)
                .flatMapIterable(found -> found.filter(filter::matches).stream().toList())
                .filter(job -> filter.states().isEmpty() || filter.states().contains(job.state()))
                .collectList();
    }

    private Page page(String q, Filter filter, Look look, Found found) {
        return Page.of("search")
                .with("q", q)
                .with("jobs", found.jobs().stream().map(JobRow::of).toList())
                .with("examined", found.examined())
                .with("all", all(look, filter))
                .with("next", Optional.ofNullable(found.next()).map(Place::text).orElse(null))
                .with("unseen", look.unseen())
                .with("journalAsked", journal != null);
    }

    private static long all(Look look, Filter filter) {
        Stream<QueueLook> queues = look.queues().stream()
                .filter(queue -> filter.queue() == null || filter.queue().equals(queue.name()));
        return queues.mapToLong(queue -> inStates(queue.counts(), filter)).sum();
    }

    private static long inStates(QueueCounts counts, Filter filter) {
        return filter.states().isEmpty()
                ? counts.ready() + counts.delayed() + counts.reserved() + counts.dead() + counts.finished()
                : filter.states().stream()
                        .mapToLong(state -> switch (state) {
                            case READY -> counts.ready();
                            case DELAYED -> counts.delayed();
                            case RESERVED -> counts.reserved();
                            case DEAD -> counts.dead();
                            case COMPLETED, CANCELLED -> counts.finished();
                        })
                        .sum();
    }
}
