package io.delayjob.delivery.internal.running;

import io.delayjob.delivery.Binding;
import io.delayjob.delivery.spi.DeliveryOutcome;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Says how many jobs a target can take now: by the calls under way, the rate, the breaker, and what the target asked for. Not thread-safe.
 */
final class Gate {

    private static final Duration LONGEST_OPEN = Duration.ofSeconds(30);
    private static final int CALLS_JUDGED = 10;
    private static final int FEWEST_JUDGED = 5;

    private static final long OTHERS_MILLIS = 200;

    private final int calls;
    private final IntSupplier others;
    private final @Nullable Bucket rate;
    private final CircuitBreaker breaker;
    private int underWay;
    private long quietUntilNanos;
    private @Nullable String quietBecause;
    private @Nullable String lastFailure;

    /**
     * The gate of a binding.
     *
     * @param others how many other calls to the target are under way: they did not begin here, or have not ended in their time
     */
    Gate(Binding binding, IntSupplier others) {
        this.calls = binding.calls();
        this.others = others;
        this.rate = binding.perSecond() == null ? null : bucket(binding.perSecond());
        this.breaker = CircuitBreaker.of(
                binding.topic(),
                CircuitBreakerConfig.custom()
                        .slidingWindowType(SlidingWindowType.COUNT_BASED)
                        .slidingWindowSize(CALLS_JUDGED)
                        .minimumNumberOfCalls(FEWEST_JUDGED)
                        .failureRateThreshold(50)
                        // Calls that succeed are never too slow: a binding has a timeout.
                        .slowCallDurationThreshold(Duration.ofDays(1))
                        .permittedNumberOfCallsInHalfOpenState(1)
                        .waitIntervalFunctionInOpenState(
                                IntervalFunction.ofExponentialBackoff(Duration.ofSeconds(1), 2, LONGEST_OPEN))
                        .build());
    }

    /** Begins empty: a topic that is bound anew again and again gets no more than its rate. */
    private static Bucket bucket(int perSecond) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(perSecond)
                        .refillGreedy(perSecond, Duration.ofSeconds(1))
                        .initialTokens(0))
                .build();
    }

    /** How many jobs the target can take now. */
    int free() {
        int free = calls - underWay - others.getAsInt();
        if (free <= 0 || isQuiet()) {
            return 0;
        }
        if (rate != null) {
            free = (int) Math.min(free, rate.getAvailableTokens());
        }
        return switch (breaker.getState()) {
            case OPEN -> isOverOpen() ? 1 : 0;
            case HALF_OPEN -> underWay == 0 ? 1 : 0;
            default -> free;
        };
    }

    /** Asks for a permission, which ends the wait once it is over, and gives it back: the job that comes asks again. */
    private boolean isOverOpen() {
        boolean over = breaker.tryAcquirePermission();
        if (over) {
            breaker.releasePermission();
        }
        return over;
    }

    /** How long until it is worth to ask again if nothing else happens, in milliseconds; null if only the end of a call can change it. */
    @Nullable Long retryMillis() {
        if (isQuiet()) {
            return TimeUnit.NANOSECONDS.toMillis(quietUntilNanos - System.nanoTime()) + 1;
        }
        if (underWay >= calls) {
            return null;
        }
        if (underWay + others.getAsInt() >= calls) {
            return OTHERS_MILLIS;
        }
        if (breaker.getState() == State.OPEN) {
            return 200L;
        }
        return rate == null
                ? null
                : 1
                        + TimeUnit.NANOSECONDS.toMillis(
                                rate.estimateAbilityToConsume(1).getNanosToWaitForRefill());
    }

    /** Why the target gets nothing now whatever is due; null if it does. */
    @Nullable String held() {
        if (isQuiet()) {
            return quietBecause;
        }
        return breaker.getState() == State.OPEN || breaker.getState() == State.HALF_OPEN
                ? "its last calls failed: " + lastFailure
                : null;
    }

    private boolean isQuiet() {
        return quietUntilNanos != 0 && quietUntilNanos - System.nanoTime() > 0;
    }

    /** A call begins, if it may. */
    boolean begin() {
        if (isQuiet() || !breaker.tryAcquirePermission()) {
            return false;
        }
        if (rate != null) {
            rate.consumeIgnoringRateLimits(1);
        }
        underWay++;
        return true;
    }

    /** Undoes the begin of a call that is not made. */
    void giveBack() {
        underWay--;
        breaker.releasePermission();
    }

    /** A call has ended; true if the breaker has opened. */
    boolean end(DeliveryOutcome outcome, long nanos) {
        underWay--;
        State before = breaker.getState();
        if (outcome instanceof DeliveryOutcome.Failed failed) {
            lastFailure = failed.reason();
            breaker.onError(nanos, TimeUnit.NANOSECONDS, new CallFailedException(failed.reason()));
        } else if (outcome instanceof DeliveryOutcome.Undeliverable || outcome instanceof DeliveryOutcome.GivenBack) {
            // It says nothing of the target.
            breaker.releasePermission();
        } else {
            breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
        }
        if (outcome instanceof DeliveryOutcome.RetryAfter after) {
            quiet(after);
        }
        return before != State.OPEN && breaker.getState() == State.OPEN;
    }

    private void quiet(DeliveryOutcome.RetryAfter after) {
        long until = System.nanoTime() + after.delay().toNanos();
        if (!isQuiet() || until - quietUntilNanos > 0) {
            quietUntilNanos = until;
            quietBecause = "it asked to be left alone for " + after.delay() + ": " + after.reason();
        }
    }

    private static final class CallFailedException extends RuntimeException {

        private CallFailedException(String reason) {
            super(reason, null, false, false);
        }
    }
}
