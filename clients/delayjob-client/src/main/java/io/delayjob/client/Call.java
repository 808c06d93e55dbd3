package io.delayjob.client;

import io.delayjob.Backoff;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * One request until it is answered: it is repeated after failures that may pass, until its time is over. Cancelling its future ends it.
 * Begun once.
 */
final class Call<T> {

    private static final int FIRST_TRIES = 3;
    private static final Backoff WAIT = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(2));

    private final HttpDelayJobSettings settings;
    private final Request<T> request;
    private final URI uri;
    private final long deadlineNanos;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private volatile State state = new State(0, false, null);
    private volatile boolean takesThread = true;

    /**
     * A request to the server.
     *
     * @param method the method in capitals
     * @param path the path in the API
     * @param headers further headers
     * @param body makes the body of each try; an empty one is not sent
     * @param reader reads the body of a successful answer; if it throws, the answer is not that of a delayjob server
     * @param timeout how long it may take
     * @param firstTry how long each of the first three tries may take until it is answered; null for no such limit
     * @param unwanted receives an answer that arrives after the future was completed or cancelled
     */
    record Request<T>(
            String method,
            String path,
            Map<String, String> headers,
            Supplier<byte[]> body,
            Function<byte[], T> reader,
            Duration timeout,
            @Nullable Duration firstTry,
            Consumer<T> unwanted) {

        /** A POST whose tries have no limit. */
        Request(
                String path,
                Map<String, String> headers,
                Supplier<byte[]> body,
                Function<byte[], T> reader,
                Duration timeout,
                Consumer<T> unwanted) {
            this("POST", path, headers, body, reader, timeout, null, unwanted);
        }
    }

    /**
     * The tries so far. Replaced by one thread at a time.
     *
     * @param unsure whether one of them may have taken effect
     * @param failure the last failure; null if there was none
     */
    private record State(
            int tries, boolean unsure, @Nullable CallException failure) {}

    Call(HttpDelayJobSettings settings, Request<T> request, long begunNanos) {
        this.settings = settings;
        this.request = request;
        this.uri = settings.uri(request.path());
        this.deadlineNanos = begunNanos + request.timeout().toNanos();
    }

    /** The same as {@link #begin}, for answers that may take long, of which there may be many at once: they take no threads meanwhile. */
    CompletableFuture<T> beginWithoutThread() {
        takesThread = false;
        return begin();
    }

    /** The answer. It fails with what {@link CallException#toThrow} makes of a {@link CallException}. */
    CompletableFuture<T> begin() {
        CompletableFuture<@Nullable Void> time = new CompletableFuture<>();
        time.orTimeout(leftNanos(), TimeUnit.NANOSECONDS).exceptionallyAsync(this::timeOut, Threads.CALLBACKS);
        answer.whenComplete((done, failure) -> time.complete(null));
        attempt();
        return answer;
    }

    /** Whether it was sent more than once. */
    boolean isRepeated() {
        return state.tries() > 1;
    }

    private long leftNanos() {
        return deadlineNanos - System.nanoTime();
    }

    private @Nullable Void timeOut(Throwable over) {
        CallException before = state.failure();
        String rest = state.tries() == 0
                ? "; it was not sent, because too many other requests are under way"
                : before == null ? "" : "; before that: " + before.getMessage();
        fail(new CallException(
                uri + " gave no answer within " + request.timeout() + rest,
                state.unsure(),
                null,
                before == null ? over : before));
        return null;
    }

    private void attempt() {
        if (answer.isDone() || leftNanos() <= 0) {
            return;
        }
        State before = state;
        state = new State(before.tries() + 1, true, before.failure());
        CompletableFuture<HttpResponse<byte[]>> sent = takesThread
                ? Threads.sent(settings.httpClient(), httpRequest())
                : settings.httpClient().sendAsync(httpRequest(), HttpResponse.BodyHandlers.ofByteArray());
        answer.whenComplete((done, failure) -> sent.cancel(true));
        sent.whenCompleteAsync(
                (response, failure) -> {
                    if (failure == null) {
                        answered(response, before.unsure());
                    } else {
                        failed(CallException.causeOf(failure), before.unsure());
                    }
                },
                Threads.CALLBACKS);
    }

    private HttpRequest httpRequest() {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri);
        Duration firstTry = request.firstTry();
        if (firstTry != null && state.tries() <= FIRST_TRIES) {
            builder.timeout(firstTry);
        }
        request.headers().forEach(builder::header);
        byte[] body = request.body().get();
        return builder.setHeader("Authorization", "Bearer " + settings.token())
                .setHeader("Content-Type", "application/json")
                .method(
                        request.method(),
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    private void answered(HttpResponse<byte[]> response, boolean unsureBefore) {
        if (response.statusCode() / 100 == 2) {
            succeeded(response);
            return;
        }
        Problem problem = Problem.of(response);
        CallException failure =
                new CallException(uri + " " + problem.text(), unsureBefore || problem.isUnsure(), problem, null);
        if (problem.isPassing()) {
            again(failure, problem.retryAfter());
        } else {
            fail(failure);
        }
    }

    private void succeeded(HttpResponse<byte[]> response) {
        T value;
        try {
            value = request.reader().apply(response.body());
        } catch (RuntimeException e) {
            String text =
                    "%s answered %d, but not as a delayjob server does; is delayjob.client.url the address of one?";
            fail(new CallException(text.formatted(uri, response.statusCode()), true, null, e));
            return;
        }
        if (!answer.complete(value)) {
            request.unwanted().accept(value);
        }
    }

    private void failed(@Nullable Throwable cause, boolean unsureBefore) {
        boolean unsent = cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof HttpConnectTimeoutException
                || cause instanceof SSLHandshakeException;
        String what = unsent
                ? "%s cannot be reached (%s); check delayjob.client.url, and that the server runs"
                : "%s gave no answer (%s)";
        CallException failure = new CallException(what.formatted(uri, cause), unsureBefore || !unsent, null, cause);
        if (cause instanceof IOException && !(cause instanceof SSLHandshakeException)) {
            again(failure, null);
        } else {
            fail(failure);
        }
    }

    /** Tries again after a while, unless the time would not suffice to connect: whether such a try arrived would not be known. */
    private void again(CallException failure, @Nullable Duration retryAfter) {
        int tries = state.tries();
        state = new State(tries, failure.isUnsure(), failure);
        Duration usual = WAIT.after(tries, ThreadLocalRandom.current());
        Duration wait = retryAfter == null || retryAfter.compareTo(usual) < 0 ? usual : retryAfter;
        Duration connect = settings.httpClient().connectTimeout().orElse(Duration.ZERO);
        if (wait.plus(connect).compareTo(Duration.ofNanos(leftNanos())) > 0) {
            fail(failure);
        } else {
            CompletableFuture.delayedExecutor(wait.toNanos(), TimeUnit.NANOSECONDS, Threads.CALLBACKS)
                    .execute(this::attempt);
        }
    }

    private void fail(CallException failure) {
        answer.completeExceptionally(failure.toThrow());
    }
}
