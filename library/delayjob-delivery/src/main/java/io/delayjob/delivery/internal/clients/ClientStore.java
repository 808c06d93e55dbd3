package io.delayjob.delivery.internal.clients;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.delayjob.DelayJobException;
import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.Maker;
import io.delayjob.delivery.RefusedBindingException;
import io.delayjob.delivery.RefusedBindingException.Reason;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RMap;
import org.redisson.api.RScript;
import org.redisson.api.RSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The clients that registered by a call, in one hash of Redis, with the time of their last one by Redis' clock; and the names of their
 * applications in a set. A maker has entries of its own, so that nobody replaces those of another.
 */
public final class ClientStore {

    private static final Logger log = LoggerFactory.getLogger(ClientStore.class);
    private static final Duration ALIVE = Duration.ofSeconds(30);
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Redis' clock, in milliseconds since 1970. */
    private static final String NOW = """
            local time = redis.call('TIME')
            return time[1] * 1000 + math.floor(time[2] / 1000)
            """;

    private final RScript scripts;
    private final RMap<String, String> clients;
    private final RSet<String> applications;

    /** Stored form of a client. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Stored(
            String application,
            String url,
            List<String> types,
            String path,
            long seenMillis,
            @Nullable String maker) {

        String key() {
            return application + " " + url + (maker == null ? "" : " " + maker);
        }

        boolean isOf(Maker other) {
            return maker != null && maker.equals(other.name());
        }

        DeliveryClient client() {
            return new DeliveryClient(application, url, types, path);
        }

        boolean within(Duration time, long nowMillis) {
            return nowMillis - seenMillis <= time.toMillis();
        }
    }

    /**
     * The clients of a Redis.
     *
     * @param keyPrefix the prefix of delayjob's keys
     */
    public ClientStore(RedissonClient redisson, String keyPrefix) {
        this.scripts = redisson.getScript(DelayJobRedis.TEXT);
        this.clients = redisson.getMap(keyPrefix + ":clients", DelayJobRedis.TEXT);
        this.applications = redisson.getSet(keyPrefix + ":clients:applications", DelayJobRedis.TEXT);
    }

    /** One at a time, so that a maker's processes are counted together. */
    synchronized void put(DeliveryClient client, Maker maker) {
        long now = now();
        Stored stored =
                new Stored(client.application(), client.url(), client.types(), client.path(), now, maker.name());
        if (!ask(() -> clients.containsKey(stored.key()))) {
            checkRoom(maker, now);
            ask(() -> applications.add(client.application()));
        }
        ask(() -> clients.fastPut(stored.key(), JSON.writeValueAsString(stored)));
    }

    private void checkRoom(Maker maker, long now) {
        var unused = remove(stored -> !stored.within(KEPT, now));
        long its = read(ask(clients::readAllValues))
                .filter(stored -> stored.isOf(maker))
                .count();
        if (its >= maker.mostClients()) {
            throw new RefusedBindingException(
                    Reason.TOO_MANY,
                    "%s has registered %d processes within the last ten minutes, and may register %d"
                            .formatted(maker.name(), its, maker.mostClients()));
        }
    }

    /** Removes the clients that are meant, whoever registered them; false if there are none. */
    boolean remove(Predicate<Stored> meant) {
        String[] keys =
                read(ask(clients::readAllValues)).filter(meant).map(Stored::key).toArray(String[]::new);
        return keys.length > 0 && ask(() -> clients.fastRemove(keys)) > 0;
    }

    List<DeliveryClient> all() {
        return alive(ask(clients::readAllValues), now());
    }

    CompletionStage<List<DeliveryClient>> allAsync() {
        return clients.readAllValuesAsync().thenCombine(nowAsync(), ClientStore::alive);
    }

    /** Whether a process of an application has ever registered by a call. */
    CompletionStage<Boolean> hasRegistered(String application) {
        return applications.containsAsync(application);
    }

    private long now() {
        return ask(() -> scripts.eval(RScript.Mode.READ_WRITE, NOW, RScript.ReturnType.LONG, keys()));
    }

    private CompletionStage<Long> nowAsync() {
        return scripts.evalAsync(RScript.Mode.READ_WRITE, NOW, RScript.ReturnType.LONG, keys());
    }

    /** The clock is that of the server that has the clients. */
    private List<Object> keys() {
        return List.of(clients.getName());
    }

    private static List<DeliveryClient> alive(Collection<String> texts, long now) {
        return read(texts)
                .filter(stored -> stored.within(ALIVE, now))
                .flatMap(stored -> readable(stored::client))
                .toList();
    }

    private static Stream<Stored> read(Collection<String> texts) {
        return texts.stream().flatMap(text -> readable(() -> JSON.readValue(text, Stored.class)));
    }

    /** Leaves out a client that another release has stored and this one cannot read. */
    private static <T> Stream<T> readable(Supplier<T> read) {
        try {
            return Stream.of(read.get());
        } catch (RuntimeException e) {
            log.debug("a client in Redis is left out: {}", e.getMessage());
            return Stream.empty();
        }
    }

    private static <T> T ask(Supplier<T> call) {
        try {
            return call.get();
        } catch (RedisException e) {
            throw new DelayJobException("Redis did not answer about clients: " + e.getMessage(), e);
        }
    }
}
