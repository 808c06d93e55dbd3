package io.delayjob.client.beans;

import io.delayjob.client.HttpDelayJobSettings;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import tools.jackson.databind.json.JsonMapper;

/** Tells the server, once the web server is up and every ten seconds, that this process runs its types of jobs; and that it stops. */
final class Registration implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(Registration.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long PERIOD_MILLIS = 10_000;
    private static final long AGAIN_MILLIS = 2000;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpDelayJobSettings server;
    private final String application;
    private final String url;
    private final String path;
    private final Supplier<List<String>> types;
    private volatile @Nullable ScheduledThreadPoolExecutor timer;
    private @Nullable String lastTrouble;
    private boolean told;

    Registration(
            HttpDelayJobSettings server, String application, String url, String path, Supplier<List<String>> types) {
        this.server = server;
        this.application = application;
        this.url = url;
        this.path = path;
        this.types = types;
    }

    @Override
    public void start() {
        List<String> its = types.get();
        if (its.isEmpty()) {
            log.warn("no bean or listener of this application runs jobs, so it does not register at {}", server.url());
            return;
        }
        ScheduledThreadPoolExecutor started = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "delayjob-registration");
            thread.setDaemon(true);
            return thread;
        });
        started.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        timer = started;
        started.execute(() -> tell(started, its));
    }

    private void tell(ScheduledExecutorService on, List<String> its) {
        boolean done = register(its);
        try {
            on.schedule(() -> tell(on, its), done ? PERIOD_MILLIS : AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // This process stops.
            return;
        }
    }

    private boolean register(List<String> its) {
        String body =
                JSON.writeValueAsString(Map.of("application", application, "url", url, "types", its, "path", path));
        String trouble = send(
                request("").header("Content-Type", "application/json").PUT(HttpRequest.BodyPublishers.ofString(body)));
        if (trouble == null && !told) {
            log.info(
                    "this process is registered at {} for the jobs {} of application '{}'",
                    server.url(),
                    its,
                    application);
        } else if (trouble != null && !trouble.equals(lastTrouble) && timer != null) {
            log.warn("this process could not be registered at {}; it is tried again: {}", server.url(), trouble);
        }
        told = trouble == null;
        lastTrouble = trouble;
        return told;
    }

    private HttpRequest.Builder request(String query) {
        return HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/clients" + query))
                .header("Authorization", "Bearer " + server.token())
                .timeout(TIMEOUT);
    }

    /** Sends a request; what went wrong, or null. */
    private @Nullable String send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> answer =
                    server.httpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
            return answer.statusCode() / 100 == 2 ? null : "HTTP " + answer.statusCode() + ": " + answer.body();
        } catch (IOException e) {
            return e.toString();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Override
    public void stop() {
        ScheduledThreadPoolExecutor started = timer;
        timer = null;
        if (started == null) {
            return;
        }
        started.shutdown();
        awaitEnd(started);
        String trouble = send(request("?application=" + encoded(application) + "&url=" + encoded(url))
                .DELETE());
        if (trouble != null) {
            log.warn(
                    "{} was not told that this process stops; it may call for half a minute: {}",
                    server.url(),
                    trouble);
        }
    }

    /** Waits for a registration under way: a server that has it already would carry it out even if it was cancelled, perhaps after the removal. */
    private static void awaitEnd(ScheduledExecutorService ending) {
        try {
            boolean unused = ending.awaitTermination(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public boolean isRunning() {
        return timer != null;
    }
}
