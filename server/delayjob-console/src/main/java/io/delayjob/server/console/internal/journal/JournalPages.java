package io.delayjob.server.console.internal.journal;

import io.delayjob.JobRestore;
import io.delayjob.JournalScope;
import io.delayjob.QueueCounts;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.jobs.Inputs;
import io.delayjob.server.console.internal.pages.Page;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.journal.Journals;
import io.delayjob.server.queues.Queues;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Compares the journal with Redis and restores what Redis has lost. */
@RestController
@RequestMapping(Pages.PATH)
public final class JournalPages {

    private static final int MOST_PER_SECOND = 1_000_000;

    private final Pages pages;
    private final Journals journals;
    private final Queues queues;
    private final Audit audit;

    /** Pages over the services of the server. */
    public JournalPages(Pages pages, Journals journals, Queues queues, Audit audit) {
        this.pages = pages;
        this.journals = journals;
        this.queues = queues;
        this.audit = audit;
    }

    /** Compares only when it is asked to: that reads every unfinished job. */
    @GetMapping("/journal")
    Mono<ResponseEntity<String>> diff(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String queue,
            @RequestParam(defaultValue = "false") boolean compare,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        Page page = Page.of("journal").with("queue", Inputs.given(queue));
        return compare
                ? journals.diff(access, new JournalScope(Inputs.given(queue), null, null, null, true))
                        .map(diff -> pages.show(exchange, page.with("diff", diff)))
                : Mono.just(pages.show(exchange, page));
    }

    @PostMapping("/journal/restore")
    Mono<ResponseEntity<String>> restore(
            @RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        return exchange.getFormData().flatMap(form -> {
            String queue = Inputs.given(form.getFirst("queue"));
            boolean dryRun = form.getFirst("dryRun") != null;
            JournalScope scope = new JournalScope(
                    queue,
                    Inputs.given(form.getFirst("id")),
                    Inputs.time(form, "dueFrom"),
                    Inputs.time(form, "dueTo"),
                    form.getFirst("withoutOverdue") == null);
            JobRestore restore =
                    new JobRestore(scope, dryRun, Inputs.numberIfGiven(form, "perSecond", 1, MOST_PER_SECOND), false);
            return audit.noting(
                            access,
                            dryRun ? "restore-dry-run" : "restore",
                            Objects.requireNonNullElse(queue, ""),
                            "",
                            Mono.defer(() -> journals.restore(access, restore)),
                            done -> "restored: " + done.restored() + ", present: " + done.present())
                    .map(done -> pages.show(
                            exchange,
                            Page.of("journal")
                                    .with("queue", queue)
                                    .with("restored", done)
                                    .with("dryRun", dryRun)));
        });
    }

    /** Asks whether a queue is to be cleared, with how many jobs it has. */
    @GetMapping("/journal/clearing")
    Mono<ResponseEntity<String>> ask(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam String queue, ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        access.require(queue, Role.OPERATE);
        return queues.counts(access, queue)
                .map(counts -> pages.show(
                        exchange, Page.of("journal").with("queue", queue).with("clearing", unfinished(counts))));
    }

    private static long unfinished(QueueCounts counts) {
        return counts.delayed() + counts.ready() + counts.reserved() + counts.dead();
    }

    /** Cancels the unfinished jobs of a queue, or only takes them out of Redis, if there are no more than somebody was told of. */
    @PostMapping("/journal/clear")
    Mono<ResponseEntity<String>> clear(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.OPERATE);
        return exchange.getFormData().flatMap(form -> {
            String queue = access.require(Inputs.text(form, "queue"), Role.OPERATE);
            boolean forGood = form.getFirst("forGood") != null;
            long most = Inputs.number(form, "most", 0, Integer.MAX_VALUE);
            return audit.noting(
                            access,
                            forGood ? "clear-for-good" : "clear-redis",
                            queue,
                            "",
                            Mono.defer(() -> journals.clear(access, queue, forGood, most)),
                            cleared -> "cleared: " + cleared)
                    .map(cleared -> pages.show(
                            exchange, Page.of("journal").with("queue", queue).with("cleared", cleared)));
        });
    }
}
