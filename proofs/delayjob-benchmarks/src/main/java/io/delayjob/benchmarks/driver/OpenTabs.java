package io.delayjob.benchmarks.driver;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/** Browsers that have the first page of the console open, each on a connection of its own. */
public final class OpenTabs implements AutoCloseable {

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicLong changes = new AtomicLong();
    private final List<CompletableFuture<HttpResponse<Void>>> tabs;

    private OpenTabs(URI server, int count) {
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/console/live"))
                .header("Authorization", "Bearer " + JobServer.TOKEN)
                .header("Accept", "text/event-stream")
                .build();
        tabs = Stream.generate(() ->
                        http.sendAsync(request, HttpResponse.BodyHandlers.fromLineSubscriber(new Counter(changes))))
                .limit(count)
                .toList();
    }

    /** Opens so many. */
    public static OpenTabs open(URI server, int count) {
        return new OpenTabs(server, count);
    }

    /** How often one of them was told how the page has changed. */
    public long changes() {
        return changes.get();
    }

    /** How many were closed by the server. */
    public long ended() {
        return tabs.stream().filter(CompletableFuture::isDone).count();
    }

    /** Counts what is told. */
    private record Counter(AtomicLong changes) implements Flow.Subscriber<String> {

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            if (line.startsWith("data:")) {
                changes.incrementAndGet();
            }
        }

        @Override
        public void onError(Throwable failure) {
            // Its tab counts as ended.
        }

        @Override
        public void onComplete() {
            // Its tab counts as ended.
        }
    }

    @Override
    public void close() {
        tabs.forEach(tab -> tab.cancel(true));
    }
}
