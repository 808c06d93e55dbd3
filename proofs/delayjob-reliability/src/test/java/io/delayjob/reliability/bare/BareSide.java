package io.delayjob.reliability.bare;

import io.delayjob.reliability.node.BareNode;
import io.delayjob.reliability.node.BareQueue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.redisson.api.RBatch;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RScript;
import org.redisson.client.codec.StringCodec;

/** Redisson alone. */
@SuppressWarnings("deprecation")
final class BareSide extends Side {

    private static final String PUSH = "return redis.call('rpush', KEYS[1], ARGV[1])";

    private final BareQueue client;
    private final List<String> queues;
    private Map<String, RDelayedQueue<String>> delayed = Map.of();

    /** A client that does nothing yet. */
    BareSide(Path folder, Duration work, List<String> queues) {
        super(folder);
        this.queues = queues;
        this.client = closing(new BareQueue(proxy.url(), journal("bare"), work), BareQueue::close);
    }

    /** Gives the client a delayed queue in front of each queue, and takers. */
    BareSide start() {
        return open().take();
    }

    /** Gives the client a delayed queue in front of each queue. */
    BareSide open() {
        delayed = queues.stream().collect(Collectors.toMap(Function.identity(), client::delayed));
        return this;
    }

    /** Gives the client takers. */
    BareSide take() {
        queues.forEach(client::startTaker);
        return this;
    }

    /** Gives the client takers that end with whatever a take throws. */
    BareSide takePlainly() {
        queues.forEach(client::startPlainTaker);
        return this;
    }

    @Override
    void send(String queue, String id, Duration delay) {
        Objects.requireNonNull(delayed.get(queue)).offer(id, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** There is no delayed queue in a batch. */
    @Override
    void sendAll(List<String> ids) {
        RBatch batch = client.redisson().createBatch();
        for (String id : ids) {
            batch.getScript().evalAsync(RScript.Mode.READ_WRITE, PUSH, RScript.ReturnType.LONG, List.of(QUEUE), id);
        }
        batch.execute();
    }

    /** Has the server remember the script; its digest. */
    String loadScript() {
        return client.redisson().getScript().scriptLoad(PUSH);
    }

    /** Hands an element over by the digest. */
    void push(String sha, String id) {
        client.redisson()
                .getScript()
                .evalSha(RScript.Mode.READ_WRITE, sha, RScript.ReturnType.LONG, List.of(QUEUE), id);
    }

    /** With another codec than that of the taker. */
    @Override
    void sendUnreadable(String id, Duration delay) {
        client.redisson()
                .getDelayedQueue(client.redisson().<String>getBlockingQueue(QUEUE, StringCodec.INSTANCE))
                .offer(id, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    Submitter submitter() {
        BareQueue other = new BareQueue(proxy.url(), journal("other"), Duration.ZERO);
        RDelayedQueue<String> queue = other.delayed(QUEUE);
        return new Submitter() {
            @Override
            public void send(String id, Duration delay) {
                queue.offer(id, delay.toMillis(), TimeUnit.MILLISECONDS);
            }

            /** Destroys the queue, as tutorials say of an object that is not needed any more. */
            @Override
            public void close() {
                queue.destroy();
                other.close();
            }
        };
    }

    @Override
    void restartWorker() {
        client.stopTakers();
        take();
    }

    @Override
    Class<?> program() {
        return BareNode.class;
    }

    @Override
    String timeouts(String queue) {
        return "redisson_delay_queue_timeout:{" + queue + "}";
    }

    /** Wakes the timers of all clients, by hand. */
    void wake(String queue) {
        redis("PUBLISH", channel(queue), Long.toString(System.currentTimeMillis()));
    }

    /** How many clients listen for a wake-up. */
    int listening(String queue) {
        String answer = redis("PUBSUB", "NUMSUB", channel(queue));
        return Integer.parseInt(answer.substring(answer.indexOf('\n') + 1));
    }

    private static String channel(String queue) {
        return "redisson_delay_queue_channel:{" + queue + "}";
    }

    @Override
    int left(long beforeMillis) {
        return queues.stream()
                .mapToInt(queue ->
                        number("ZCOUNT", timeouts(queue), "-inf", Long.toString(beforeMillis)) + number("LLEN", queue))
                .sum();
    }

    @Override
    Set<String> dead() {
        return Set.of();
    }
}
