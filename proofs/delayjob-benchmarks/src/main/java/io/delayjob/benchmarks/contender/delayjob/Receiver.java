package io.delayjob.benchmarks.contender.delayjob;

import io.delayjob.benchmarks.contender.Contender;
import io.delayjob.benchmarks.contender.Job;
import io.delayjob.benchmarks.contender.Work;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.json.JsonMapper;

/**
 * HTTP server that receives the calls to targets, in a process of its own: a job begins when its call has arrived. Listens at the port
 * {@code receive}; never answers at {@value #SILENT}. Has one thread, and submits nothing.
 */
public final class Receiver implements Contender {

    /** The path that never answers. */
    public static final String SILENT = "/silent";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final LoopResources THREAD = LoopResources.create("receiver", 1, true);

    private final int port;
    private @Nullable DisposableServer server;

    /** One that listens when it consumes. */
    public Receiver(int port) {
        this.port = port;
    }

    @Override
    public Map<String, String> settings() {
        return Map.of();
    }

    @Override
    public void submit(Job job) {
        throw new UnsupportedOperationException("a receiver submits nothing");
    }

    @Override
    public void submitAll(List<Job> jobs) {
        throw new UnsupportedOperationException("a receiver submits nothing");
    }

    @Override
    public void consume(int workers, Work work) {
        server = HttpServer.create()
                .host("127.0.0.1")
                .port(port)
                .runOn(THREAD)
                .handle((request, response) -> answer(request, response, work))
                .bindNow();
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response, Work work) {
        return request.uri().equals(SILENT)
                ? Mono.never()
                : request.receive()
                        .aggregate()
                        .asByteArray()
                        .doOnNext(body -> run(request, body, work))
                        .then(response.status(204).send());
    }

    private static void run(HttpServerRequest request, byte[] body, Work work) {
        try {
            work.run(
                    header(request, "webhook-id"),
                    JSON.readValue(body, CloseOrder.class).dueMillis(),
                    Integer.parseInt(header(request, "delayjob-attempt")));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static String header(HttpServerRequest request, String name) {
        return Objects.requireNonNull(request.requestHeaders().get(name), name);
    }

    @Override
    public void close() {
        if (server != null) {
            server.disposeNow();
        }
    }
}
