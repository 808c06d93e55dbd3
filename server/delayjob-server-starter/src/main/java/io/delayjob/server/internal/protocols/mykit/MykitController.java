package io.delayjob.server.internal.protocols.mykit;

import io.delayjob.ActionResult;
import io.delayjob.ClaimedJob;
import io.delayjob.JobClaim;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.protocols.GlobalJobs;
import io.delayjob.server.internal.protocols.JsonFields;
import io.delayjob.server.internal.protocols.JsonObjects;
import io.delayjob.server.internal.protocols.NewJob;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.web.Everyday;
import io.delayjob.server.web.FailureProblems;
import io.delayjob.server.web.Problems;
import io.delayjob.support.Checks;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The routes of mykit-delay, in all their spellings. Those that change something can be called by POST and DELETE too. */
@RestController
@RequestMapping("${delayjob.server.protocols.mykit.path:/protocols/mykit}")
public final class MykitController {

    /** The prefix of the names of its queues. */
    public static final String QUEUES = "mykit.";

    /** Its paths, as those of a servlet. */
    public static final List<String> ROUTES = List.of(
            "/push", "/delete", "/reStoreJob", "/reStore", "/reStore/*", "/clearAll", "/get", "/get/*", "/finish");

    private static final String DEFAULT_WAIT = "30";

    private final GlobalJobs jobs;
    private final MykitJournal journal;
    private final MadeIds ids;
    private final JsonObjects bodies;
    private final CallersTrace trace;
    private final FailureProblems problems;

    /** Routes over the jobs of the protocol. */
    public MykitController(
            GlobalJobs jobs,
            MykitJournal journal,
            MadeIds ids,
            JsonObjects bodies,
            CallersTrace trace,
            FailureProblems problems) {
        this.jobs = jobs;
        this.journal = journal;
        this.ids = ids;
        this.bodies = bodies;
        this.trace = trace;
        this.problems = problems;
    }

    /** {@return the answer of the protocol to a problem} */
    public static Object envelope(ProblemDetail problem) {
        return MykitAnswer.of(problem);
    }

    @Everyday
    @PostMapping("/push")
    Mono<ResponseEntity<MykitAnswer>> push(
            @RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        access.require(Role.SUBMIT);
        return answer(bodies.read(exchange)
                .flatMap(message -> pushed(message, host(exchange.getRequest())))
                .flatMap(job ->
                        jobs.add(access, job, trace.of(exchange.getRequest().getHeaders())))
                .map(MykitAnswer::done));
    }

    private Mono<NewJob> pushed(JsonFields message, String host) {
        return Mono.justOrEmpty(MykitMessage.id(message))
                .switchIfEmpty(Mono.defer(ids::next))
                .map(id -> MykitMessage.pushed(message, id, host));
    }

    /** The address of this server, as the caller reached it. */
    private static String host(ServerHttpRequest request) {
        InetSocketAddress local = request.getLocalAddress();
        return local == null || local.isUnresolved()
                ? "unknown"
                : local.getAddress().getHostAddress();
    }

    @RequestMapping(
            path = "/delete",
            method = {RequestMethod.GET, RequestMethod.POST, RequestMethod.DELETE})
    Mono<ResponseEntity<MykitAnswer>> delete(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String jobId,
            @RequestParam(required = false) @Nullable String id) {
        access.require(Role.SUBMIT, Role.OPERATE);
        String named = named(jobId, id);
        return answer(jobs.cancel(access, named).map(result -> ended(named, result)));
    }

    @Everyday
    @RequestMapping(
            path = "/finish",
            method = {RequestMethod.GET, RequestMethod.POST})
    Mono<ResponseEntity<MykitAnswer>> finish(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String jobId,
            @RequestParam(required = false) @Nullable String id) {
        access.require(Role.WORK);
        String named = named(jobId, id);
        return answer(jobs.finish(access, named).map(result -> ended(named, result)));
    }

    private static MykitAnswer ended(String id, ActionResult result) {
        if (result.done()) {
            return MykitAnswer.done(null);
        }
        return MykitAnswer.failed(
                result.previous() == null
                        ? "no such job: " + Checks.shown(id)
                        : "job %s is %s already".formatted(Checks.shown(id), MykitStatus.of(result.previous())));
    }

    @RequestMapping(
            path = {"/get/{topic}", "/get"},
            method = RequestMethod.GET)
    Mono<ResponseEntity<MykitAnswer>> get(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable(name = "topic", required = false) @Nullable String inPath,
            @RequestParam(name = "topic", required = false) @Nullable String inQuery,
            @RequestParam(defaultValue = DEFAULT_WAIT) int timeout,
            @RequestParam(defaultValue = "false") boolean acknowledge,
            ServerWebExchange exchange) {
        String topic = inPath == null ? inQuery : inPath;
        if (topic == null) {
            throw JsonFields.missing("topic");
        }
        if (timeout < 0 || timeout > JobClaim.MAX_WAIT.toSeconds()) {
            throw new IllegalArgumentException(
                    "timeout must be 0 to %d seconds: %d".formatted(JobClaim.MAX_WAIT.toSeconds(), timeout));
        }
        return answer(bodies.skip(exchange)
                .then(jobs.claim(access, exchange, topic, 1, Duration.ofSeconds(timeout)))
                .doOnNext(handedOut -> Consumed.note(exchange, acknowledge ? List.of() : handedOut))
                .map(handedOut -> message(handedOut, acknowledge ? MykitStatus.Ready : MykitStatus.Finish)));
    }

    private static MykitAnswer message(List<ClaimedJob> handedOut, MykitStatus status) {
        return MykitAnswer.done(handedOut.isEmpty() ? null : MykitMessage.of(handedOut.get(0), status));
    }

    @RequestMapping(
            path = "/reStoreJob",
            method = {RequestMethod.GET, RequestMethod.POST})
    Mono<ResponseEntity<MykitAnswer>> restoreJob(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @RequestParam(required = false) @Nullable String jobId,
            @RequestParam(name = "JobId", required = false) @Nullable String capitalJobId,
            @RequestParam(required = false) @Nullable String id,
            @RequestParam(defaultValue = "false") boolean finished) {
        return answer(journal.restore(access, named(jobId, capitalJobId, id), finished)
                .map(MykitAnswer::done));
    }

    @RequestMapping(
            path = "/reStore/{id}",
            method = {RequestMethod.GET, RequestMethod.POST})
    Mono<ResponseEntity<MykitAnswer>> restoreOne(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String id,
            @RequestParam(defaultValue = "false") boolean finished) {
        return answer(journal.restore(access, id, finished).map(MykitAnswer::done));
    }

    @RequestMapping(
            path = "/reStore",
            method = {RequestMethod.GET, RequestMethod.POST})
    Mono<ResponseEntity<MykitAnswer>> restoreAll(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam(defaultValue = "true") boolean expire) {
        return answer(journal.restoreAll(access, expire).map(MykitAnswer::done));
    }

    @RequestMapping(
            path = "/clearAll",
            method = {RequestMethod.GET, RequestMethod.POST, RequestMethod.DELETE})
    Mono<ResponseEntity<MykitAnswer>> clearAll(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @RequestParam(defaultValue = "false") boolean forGood) {
        return answer(journal.clear(access, forGood).map(MykitAnswer::done));
    }

    private static String named(@Nullable String... spellings) {
        return Stream.of(spellings).filter(Objects::nonNull).findFirst().orElseThrow(() -> JsonFields.missing("jobId"));
    }

    private static Mono<ResponseEntity<MykitAnswer>> answer(Mono<MykitAnswer> answer) {
        return answer.map(body ->
                ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(body));
    }

    @ExceptionHandler
    Mono<Void> failed(Exception failure, ServerWebExchange exchange) throws Exception {
        return Problems.write(exchange, problems.of(failure));
    }
}
