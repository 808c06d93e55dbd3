package io.delayjob.server.internal.protocols.delayqueue;

import io.delayjob.ActionResult;
import io.delayjob.JobClaim;
import io.delayjob.JobOptions;
import io.delayjob.server.Access;
import io.delayjob.server.Role;
import io.delayjob.server.internal.protocols.GlobalJobs;
import io.delayjob.server.internal.protocols.JsonFields;
import io.delayjob.server.internal.protocols.JsonObjects;
import io.delayjob.server.internal.protocols.NewJob;
import io.delayjob.server.internal.web.CallersTrace;
import io.delayjob.server.web.FailureProblems;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.Problems;
import io.delayjob.server.web.Route;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * The HTTP delay queue: each command is a JSON object, posted to one path. Its ids are unique over all topics, a finish needs no token, and a
 * job that nobody finishes is handed out again each time its TTR has passed.
 */
@RestController
public final class DelayQueueController {

    /** The prefix of the names of its queues. */
    public static final String QUEUES = "delay-queue.";

    /** The property of a problem that names the job of the command. */
    static final String ID = "id";

    private static final String TOPIC = "topic";
    private static final String DELAY = "delay";
    private static final String TTR = "TTR";
    private static final long LONGEST = Integer.MAX_VALUE;

    private final GlobalJobs jobs;
    private final JsonObjects bodies;
    private final CallersTrace trace;
    private final FailureProblems problems;

    /** Commands over the jobs of the protocol. */
    public DelayQueueController(GlobalJobs jobs, JsonObjects bodies, CallersTrace trace, FailureProblems problems) {
        this.jobs = jobs;
        this.bodies = bodies;
        this.trace = trace;
        this.problems = problems;
    }

    /** {@return the answer of the protocol to a problem} */
    public static Object envelope(ProblemDetail problem) {
        return Reply.of(problem);
    }

    @RequestMapping("${delayjob.server.protocols.delay-queue.path:/protocols/delay-queue}")
    Mono<ResponseEntity<Reply>> command(@RequestAttribute(Access.ATTRIBUTE) Access access, ServerWebExchange exchange) {
        HttpMethod method = exchange.getRequest().getMethod();
        if (!method.equals(HttpMethod.POST)) {
            return Mono.error(new MethodNotAllowedException(method, Set.of(HttpMethod.POST)));
        }
        access.require(Role.SUBMIT, Role.WORK, Role.OPERATE);
        return bodies.read(exchange)
                .flatMap(command -> run(access, command, exchange).onErrorMap(failure -> named(failure, command)))
                .map(reply -> ResponseEntity.ok()
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(reply));
    }

    private Mono<Reply> run(Access access, JsonFields command, ServerWebExchange exchange) {
        String name = command.value("command")
                .map(value -> value.isString() ? value.asString() : value.toString())
                .orElse("");
        return Mono.defer(() -> switch (name) {
            case "add" -> add(access, command, exchange);
            case "pop" -> pop(access, command, exchange);
            case "finish" -> finish(access, command.requiredText(ID), exchange);
            case "delete" -> delete(access, command.requiredText(ID), exchange);
            default ->
                Mono.error(
                        Problem.INVALID_BODY.with("command must be add, pop, finish or delete: " + Checks.shown(name)));
        });
    }

    private Mono<Reply> add(Access access, JsonFields command, ServerWebExchange exchange) {
        Route.everyday(exchange);
        String id = Checks.id(command.requiredText(ID));
        long delay = command.requiredNumber(DELAY, 0, LONGEST, "seconds");
        long timeToRun = timeToRun(command);
        NewJob job = new NewJob(
                command.requiredText(TOPIC),
                id,
                command.requiredValue("body"),
                Map.of(DELAY, Long.toString(delay), TTR, Long.toString(timeToRun)),
                Map.of(),
                JobOptions.NONE.withLease(Duration.ofSeconds(timeToRun)),
                new NewJob.Due.In(Duration.ofSeconds(delay)));
        return jobs.add(access, job, trace.of(exchange.getRequest().getHeaders()))
                .map(Reply::done);
    }

    private static long timeToRun(JsonFields command) {
        Long timeToRun = command.number(TTR, 1, LONGEST, "seconds");
        Long lowerCase = command.number("ttr", 1, LONGEST, "seconds");
        if (timeToRun != null) {
            return timeToRun;
        }
        if (lowerCase != null) {
            return lowerCase;
        }
        throw JsonFields.missing(TTR);
    }

    private Mono<Reply> pop(Access access, JsonFields command, ServerWebExchange exchange) {
        Route.everyday(exchange);
        Long count = command.number("count", 1, JobClaim.MAX_JOBS, "jobs");
        Long timeout = command.number("timeout", 0, JobClaim.MAX_WAIT.toSeconds(), "seconds");
        return jobs.claim(
                        access,
                        exchange,
                        command.requiredText(TOPIC),
                        count == null ? 1 : count.intValue(),
                        Duration.ofSeconds(timeout == null ? 0 : timeout))
                .map(count == null ? Reply::one : Reply::several);
    }

    private Mono<Reply> finish(Access access, String id, ServerWebExchange exchange) {
        Route.everyday(exchange);
        access.require(Role.WORK);
        return jobs.finish(access, id).map(result -> ended(id, result));
    }

    private Mono<Reply> delete(Access access, String id, ServerWebExchange exchange) {
        Route.note(exchange, "delete " + Checks.shown(id));
        access.require(Role.SUBMIT, Role.WORK, Role.OPERATE);
        return jobs.cancel(access, id).map(result -> ended(id, result));
    }

    private static Reply ended(String id, ActionResult result) {
        return result.done() ? Reply.done(id) : Reply.failed("no such job: " + Checks.shown(id), id);
    }

    /** A failure whose answer names the job of the command, if it names one. */
    private Throwable named(Throwable failure, JsonFields command) {
        if (!(failure instanceof Exception known) || !command.object().path(ID).isString()) {
            return failure;
        }
        try {
            ProblemDetail problem = problems.of(known);
            problem.setProperty(ID, command.object().path(ID).asString());
            return Problem.thrown(problem);
        } catch (Exception hungUp) {
            return hungUp;
        }
    }

    @ExceptionHandler
    Mono<Void> failed(Exception failure, ServerWebExchange exchange) throws Exception {
        return Problems.write(exchange, problems.of(failure));
    }
}
