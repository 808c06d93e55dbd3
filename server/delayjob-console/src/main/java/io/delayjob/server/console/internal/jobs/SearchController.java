package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.QueueCounts;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.jobs.Search.Found;
import io.delayjob.server.console.internal.jobs.Search.Place;
import io.delayjob.server.console.internal.look.Look;
import io.delayjob.server.console.internal.look.Looker;
import io.delayjob.server.console.internal.look.QueueLook;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
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
import reactor.core.publisher.Mono;

/**
 * Finds jobs by what is written in the search box, and says how far it looked. An answer looks for a twentieth of a second; the page asks for the next part by itself,
 * until there is a page of jobs, all were looked at, or its reader has left.
 */
@RestController
@RequestMapping(Pages.PATH)
public final class SearchController {

    /** Jobs of a page. */
    private static final int HITS = 50;

    private static final Duration TIME = Duration.ofMillis(50);

    /** After so many parts, about a minute and a half, somebody has to want it to go on: a tab may be left open. */
    private static final int MOST_PARTS = 500;

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
            @RequestParam(required = false) @Nullable String sofar,
            ServerWebExchange exchange) {
        Filter filter = filter(access, q);
        SoFar before = SoFar.of(sofar);
        if (filter.isEmpty()) {
            return Mono.just(pages.show(exchange, Page.of("search").with("q", q)));
        }
        return page(
                        access,
                        filter,
                        before,
                        search -> after == null ? first(search) : search.part(Place.of(after), part(before)))
                .map(page -> pages.show(exchange, page.with("q", q)));
    }

    /** The next part of a page that is shown: rows of its table. */
    @GetMapping("/search/part")
    Mono<ResponseEntity<String>> part(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam String q,
            @RequestParam String after,
            @RequestParam String sofar,
            ServerWebExchange exchange) {
        Filter filter = filter(access, q);
        Place from = Place.of(after);
        SoFar before = SoFar.of(sofar);
        return page(access, filter, before, search -> search.part(from, part(before)))
                .map(page -> ResponseEntity.ok()
                        .header("Content-Type", "text/html;charset=UTF-8")
                        .body(pages.render(exchange, page.with("q", q), "part")));
    }

    private Filter filter(Access access, String q) {
        access.require(Role.READ);
        return Filter.parse(q, redaction);
    }

    /** A page of what a search finds; a look only tells how many jobs there are. */
    private Mono<Page> page(Access access, Filter filter, SoFar before, Function<Search, Mono<Found>> finding) {
        return filter.queuesFor(access, admin)
                .zipWith(looker.now(access.grant()))
                .flatMap(both -> Search.of(admin, filter, both.getT1(), journal, access::isFor)
                        .flatMap(finding)
                        .map(found -> page(filter, both.getT2(), found, before.and(found))));
    }

    /** How far a part goes: until there is a page of jobs. */
    private static Scan.Bound part(SoFar before) {
        return new Scan.Bound((int) Math.max(1, HITS - before.found()), Long.MAX_VALUE, TIME);
    }

    private Mono<Found> first(Search search) {
        return search.atOnce(journal, HITS)
                .flatMap(found -> found.map(Mono::just).orElseGet(() -> search.part(Place.BEGIN, part(SoFar.NOTHING))));
    }

    private Page page(Filter filter, Look look, Found found, SoFar sofar) {
        Place next = found.next();
        boolean atOnce = found.by() != Search.By.LOOKING;
        boolean goesOn = next != null && !atOnce && sofar.found() < HITS && sofar.parts() < MOST_PARTS;
        return Page.of("search")
                .with("jobs", rows(found))
                .with("sofar", sofar)
                .with("all", Math.max(all(look, filter), sofar.live()))
                .with("next", next == null ? null : next.text())
                .with("by", found.by().name().toLowerCase(Locale.ROOT))
                .with("atOnce", atOnce)
                .with("goesOn", goesOn)
                .with("sofarNext", (goesOn ? sofar : atOnce ? SoFar.NOTHING : sofar.onNextPage()).text())
                .with("journalFailure", found.failure())
                .with("more", look.unseen() > 0 || look.failure() != null)
                .with("journalAsked", journal != null);
    }

    private static List<JobRow> rows(Found found) {
        return Stream.concat(
                        found.live().stream().map(JobRow::of),
                        found.ended().stream().map(job -> JobRow.of(job, true)))
                .toList();
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
