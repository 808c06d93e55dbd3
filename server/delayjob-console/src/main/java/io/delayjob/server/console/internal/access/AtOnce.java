package io.delayjob.server.console.internal.access;

import io.delayjob.server.Access;
import io.delayjob.server.limits.Places;
import io.delayjob.server.limits.Places.Answer;
import io.delayjob.server.web.Problem;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Bounds how much of something the console does at once on this server, for all callers and for each. What is too much is answered 429. */
public final class AtOnce {

    private static final long AGAIN_SECONDS = 5;

    private final String what;
    private final String property;
    private final Places places;

    /**
     * Nothing is done yet.
     *
     * @param what it is called in answers
     * @param property the property that says how much; the one with {@code -per-caller} says how much for each caller
     */
    public AtOnce(String what, String property, int most, int mostPerCaller) {
        this.what = what;
        this.property = property;
        this.places = new Places(most, mostPerCaller);
    }

    /** Does some work, if it is not too much. */
    public <T> Mono<T> once(Access access, Mono<T> work) {
        return Mono.defer(() -> {
            check(access, places.take(access.caller()));
            return work.doFinally(end -> places.leave(access.caller()));
        });
    }

    /**
     * Streams something while it is followed. That it is too much is known at once, before an answer has begun, and again when it is followed.
     *
     * @throws org.springframework.web.ErrorResponseException 429 if it is too much
     */
    public <T> Flux<T> stream(Access access, Flux<T> stream) {
        check(access, places.look(access.caller()));
        return Flux.defer(() -> {
            check(access, places.take(access.caller()));
            return stream.doFinally(end -> places.leave(access.caller()));
        });
    }

    private void check(Access access, Answer answer) {
        switch (answer) {
            case ALL_TAKEN -> throw tooMuch("there are", property);
            case CALLER_HAS_ALL -> throw tooMuch(access.shown() + " has", property + "-per-caller");
            case TAKEN -> {}
        }
    }

    private RuntimeException tooMuch(String who, String bound) {
        return Problem.thrown(Problem.tooMany(
                "%s as many %s on this server as %s allows; close some, or wait %d s"
                        .formatted(who, what, bound, AGAIN_SECONDS),
                AGAIN_SECONDS));
    }
}
