package io.delayjob.server.internal.limits;

import io.delayjob.server.limits.Limits;
import io.delayjob.server.limits.Rate;
import io.delayjob.server.web.Problem;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.springframework.http.ProblemDetail;

/**
 * The remaining requests and bytes that one caller may send to this server. Bodies are counted as they arrive, because some do not say how
 * long they are: one that goes over the limit is read to its end, and later requests are refused until the excess is made up for.
 */
public final class Allowance {

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final String caller;
    private final Limits own;
    private final long requestsASecond;
    private final long bytesASecond;
    private final Rate requests;
    private final Rate bytes;
    private final Rate kept;
    private final Refusals refusals;

    /**
     * An allowance of which nothing has been used.
     *
     * @param caller names the caller in answers
     * @param own the limits of its own
     * @param defaults the limits of callers without their own; both values are set
     * @param burst how many seconds' worth may come at once
     * @param keptADay how many bytes of answers are kept for it within a day
     */
    Allowance(String caller, Limits own, Limits defaults, Duration burst, long keptADay, TimeMeter clock) {
        this.caller = caller;
        this.own = own;
        Limits limits = own.or(defaults);
        this.requestsASecond = Objects.requireNonNull(limits.requestsPerSecond());
        this.bytesASecond = Objects.requireNonNull(limits.bytesPerSecond());
        this.requests = rate(requestsASecond, burst, clock);
        this.bytes = rate(bytesASecond, burst, clock);
        this.kept = new Rate(keptADay, DAY, keptADay, clock);
        this.refusals = new Refusals(clock);
    }

    private static Rate rate(long perSecond, Duration burst, TimeMeter clock) {
        return new Rate(perSecond, SECOND, perSecond * burst.toMillis() / SECOND.toMillis(), clock);
    }

    /** Counts a request; if it is one too many, the answer to it. */
    public Optional<ProblemDetail> refusal() {
        long wait = requests.use();
        if (wait > 0) {
            String setBy =
                    own.requestsPerSecond() == null ? Limits.PROPERTIES + "requests-per-second" : "requestsPerSecond";
            return Optional.of(refusal(requestsASecond + " requests", setBy, wait));
        }
        wait = bytes.look();
        if (wait > 0) {
            String setBy = own.bytesPerSecond() == null ? Limits.PROPERTIES + "bytes-per-second" : "bytesPerSecond";
            return Optional.of(refusal(bytesASecond + " bytes of bodies", setBy, wait));
        }
        return Optional.empty();
    }

    private ProblemDetail refusal(String limit, String setBy, long wait) {
        return Problem.tooMany(
                "%s has sent more to this server than the %s a second that %s allows; wait %d s, send fewer and larger requests, or raise the limit"
                        .formatted(caller, limit, setBy, wait),
                wait);
    }

    /** Counts requests that one request has stood for, besides itself. */
    public void asked(int more) {
        requests.used(more);
    }

    /** Counts a request that was refused. Returns how long its answer is held back. */
    public Duration refused() {
        return refusals.count();
    }

    /** The answer to a request whose answer cannot be kept for a repeat, because too much of others is kept. */
    public Optional<ProblemDetail> refusalToKeep() {
        long wait = kept.look();
        return wait == 0
                ? Optional.empty()
                : Optional.of(Problem.tooMany(
                        "this server has kept as many answers to requests of %s with an Idempotency-Key within a day as %skept-answers-per-token allows; wait %d s, send fewer and larger requests, or leave out the key"
                                .formatted(caller, Limits.PROPERTIES, wait),
                        wait));
    }

    /** Counts an answer that is kept. */
    public void kept(int bytesOfAnswer) {
        kept.used(bytesOfAnswer);
    }

    /** Counts bytes of a body. */
    public void received(int count) {
        bytes.used(count);
    }
}
