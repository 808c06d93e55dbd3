package io.delayjob.client;

import io.delayjob.DelayJobException;
import io.delayjob.JobSubmissionException.Outcome;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The server refused a request or did not answer. */
final class CallException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final boolean unsure;
    private final transient @Nullable Problem problem;

    /**
     * A failure.
     *
     * @param unsure whether the request may have taken effect
     * @param problem the last error answer of the server; null if it did not answer
     */
    CallException(String message, boolean unsure, @Nullable Problem problem, @Nullable Throwable cause) {
        super(message, cause);
        this.unsure = unsure;
        this.problem = problem;
    }

    boolean isUnsure() {
        return unsure;
    }

    /** Whether the jobs of a submit are stored, as far as known. */
    Outcome outcome() {
        boolean stored = problem != null && problem.outcome() == Outcome.NOT_REPLICATED;
        return stored ? Outcome.NOT_REPLICATED : unsure ? Outcome.UNKNOWN : Outcome.NOT_STORED;
    }

    @Nullable Problem problem() {
        return problem;
    }

    /** Whether the same request may succeed later: the server is away or overloaded. */
    boolean mayPass() {
        if (problem != null) {
            return problem.isPassing() || problem.isUnsure();
        }
        // An answer that cannot be read is none of a delayjob server.
        return !(getCause() instanceof RuntimeException cause)
                || (cause instanceof CallException before && before.mayPass());
    }

    /** Whether the server refused a value. */
    boolean isInvalid() {
        return problem != null && problem.isInvalid();
    }

    /** How long a worker waits before it makes the same request again: what the server asks for, 1 s at least and a minute at most. */
    Duration pause() {
        Duration asked = problem == null ? null : problem.retryAfter();
        if (asked == null || asked.compareTo(SHORTEST_PAUSE) < 0) {
            return SHORTEST_PAUSE;
        }
        return asked.compareTo(LONGEST_PAUSE) < 0 ? asked : LONGEST_PAUSE;
    }

    /** The exception for callers: an {@link IllegalArgumentException} if the server refused a value, else this one. */
    RuntimeException toThrow() {
        return isInvalid() && !unsure ? new IllegalArgumentException(getMessage(), this) : this;
    }

    /** Waits for an answer, and throws what it fails with, on whose stack trace is also the caller. */
    static <R> R await(CompletableFuture<R> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw thrown(e);
        }
    }

    /** The failure of a future, without what the future wrapped it in. */
    static Throwable causeOf(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Unwraps the failure of a future, and adds the stack trace of the caller as a suppressed exception. */
    static RuntimeException thrown(Exception failure) {
        boolean wrapped = failure instanceof CompletionException || failure instanceof ExecutionException;
        if (wrapped && failure.getCause() instanceof RuntimeException cause) {
            cause.addSuppressed(new DelayJobException("called here", null));
            return cause;
        }
        return failure instanceof RuntimeException known ? known : new CompletionException(failure);
    }
}
