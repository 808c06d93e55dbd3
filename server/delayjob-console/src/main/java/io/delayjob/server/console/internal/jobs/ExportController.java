package io.delayjob.server.console.internal.jobs;

import io.delayjob.AsyncDelayJobAdmin;
import io.delayjob.DelayJobJournal;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.console.internal.audit.Audit;
import io.delayjob.server.console.internal.jobs.Search.Found;
import io.delayjob.server.console.internal.jobs.Search.Place;
import io.delayjob.server.console.internal.pages.Pages;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sends the jobs of a search as a file, while they are read; the last line of the file says whether it has them all. */
@RestController
@RequestMapping(Pages.PATH)
public final class ExportController {

    static final int MOST = 100_000;

    private static final long MOST_EXAMINED = 1_000_000;
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Scan.Bound PART = new Scan.Bound(1000, 1000, Duration.ofSeconds(5));

    private final AsyncDelayJobAdmin admin;
    private final Redaction redaction;
    private final Audit audit;
    private final @Nullable DelayJobJournal journal;

    /** Searches an engine, and the journal where there is one. */
    public ExportController(
            AsyncDelayJobAdmin admin, Redaction redaction, Audit audit, ObjectProvider<DelayJobJournal> journal) {
        this.journal = journal.getIfAvailable();
        this.admin = admin;
        this.redaction = redaction;
        this.audit = audit;
    }

    @GetMapping("/export.{format:csv|ndjson}")
    Mono<Void> export(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String format,
            @RequestParam String q,
            ServerWebExchange exchange) {
        access.require(Role.READ);
        Filter filter = Filter.parse(q, redaction);
        ExportFormat written = format.equals("csv") ? new CsvFormat(redaction) : new NdjsonFormat(redaction);
        return filter.queuesFor(access, admin)
                .flatMap(queues -> Search.of(admin, filter, queues, journal, access::isFor))
                .flatMap(search -> send(access, exchange.getResponse(), filter, search, format, written));
    }

    private Mono<Void> send(
            Access access,
            ServerHttpResponse response,
            Filter filter,
            Search search,
            String format,
            ExportFormat written) {
        HttpHeaders headers = response.getHeaders();
        headers.setContentType(MediaType.parseMediaType(
                format.equals("csv") ? "text/csv;charset=UTF-8" : "application/x-ndjson;charset=UTF-8"));
        headers.setContentDisposition(
                ContentDisposition.attachment().filename("jobs." + format).build());
        Progress progress = new Progress(written);
        Flux<DataBuffer> body = lines(search, progress)
                .map(text -> response.bufferFactory().wrap(text.getBytes(StandardCharsets.UTF_8)));
        return response.writeWith(body)
                .then(Mono.defer(() -> audit.looked(
                        access,
                        "export",
                        filter.queue() == null ? "" : filter.queue(),
                        filter.text(),
                        progress.sent + " jobs as " + format)));
    }

    private Flux<String> lines(Search search, Progress progress) {
        ExportFormat format = progress.format;
        Flux<String> jobs = search.part(Place.BEGIN, PART)
                .expand(found ->
                        found.next() == null || progress.ended ? Mono.empty() : search.part(found.next(), PART))
                .map(progress::add)
                .onErrorResume(failure -> Flux.just(progress.end("cut off: " + failure.getMessage())));
        return Flux.concat(Flux.just(format.head()), jobs).filter(text -> !text.isEmpty());
    }

    /** How far a file is. Whether it ends here is decided once for each part: its last line says so, and nothing more is read. */
    private static final class Progress {

        private final ExportFormat format;
        private final long begun = System.nanoTime();
        private long examined;
        private long sent;
        private boolean ended;
        private @Nullable String failure;

        Progress(ExportFormat format) {
            this.format = format;
        }

        String add(Found found) {
            examined += found.examined() + found.examinedEnded();
            sent += found.size();
            StringBuilder text = new StringBuilder();
            found.live().forEach(job -> text.append(format.line(job, "redis")));
            found.ended().forEach(job -> text.append(format.line(job, "journal")));
            failure = found.failure() == null ? failure : found.failure();
            if (found.next() == null) {
                text.append(end(failure == null ? null : "without jobs of the journal: " + failure));
            } else if (isEnough()) {
                text.append(end("cut off: narrow the search, such as by queue:, state: or due:"));
            }
            return text.toString();
        }

        String end(@Nullable String cutOff) {
            ended = true;
            return format.end(sent, examined, cutOff);
        }

        private boolean isEnough() {
            return sent >= MOST || examined >= MOST_EXAMINED || System.nanoTime() - begun >= LONGEST.toNanos();
        }
    }
}
