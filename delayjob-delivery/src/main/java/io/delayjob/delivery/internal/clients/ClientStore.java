package io.delayjob.delivery.internal.clients;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.delayjob.DelayJobException;
import io.delayjob.delivery.DeliveryClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.redisson.api.RMap;
import org.redisson.api.RedissonClient;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;
import tools.jackson.databind.json.JsonMapper;

/** The clients that registered by a call, in one hash of Redis, with the time of their last one. */
public final class ClientStore {

    private static final Duration ALIVE = Duration.ofSeconds(30);
    private static final Duration KEPT = Duration.ofDays(1);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RMap<String, String> clients;

    /** What is stored of one. */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Stored(String application, String url, List<String> types, String path, long seenMillis) {

        DeliveryClient client() {
            return new DeliveryClient(application, url, types, path);
        }

        boolean within(Duration time) {
            return System.currentTimeMillis() - seenMillis <= time.toMillis();
        }
    }

    /**
     * The clients of a Redis.
     *
     * @param keyPrefix the prefix of delayjob's keys
     */
    public ClientStore(RedissonClient redisson, String keyPrefix) {
        this.clients = redisson.getMap(keyPrefix + ":clients", StringCodec.INSTANCE);
    }

    private static String key(String application, String url) {
        return application + " " + url;
    }

    void put(DeliveryClient client) {
        Stored stored = new Stored(
                client.application(), client.url(), client.types(), client.path(), System.currentTimeMillis());
        boolean first =
                ask(() -> clients.fastPut(key(client.application(), client.url()), JSON.writeValueAsString(stored)));
        if (first) {
            forgetOld();
        }
    }

    private void forgetOld() {
        String[] old = read(ask(clients::readAllValues)).stream()
                .filter(stored -> !stored.within(KEPT))
                .map(stored -> key(stored.application(), stored.url()))
                .toArray(String[]::new);
        if (old.length > 0) {
            ask(() -> clients.fastRemove(old));
        }
    }

    boolean remove(String application, String url) {
        return ask(() -> clients.fastRemove(key(application, url))) > 0;
    }

    List<DeliveryClient> all() {
        return alive(ask(clients::readAllValues));
    }

    CompletionStage<List<DeliveryClient>> allAsync() {
        return clients.readAllValuesAsync().thenApply(ClientStore::alive);
    }

    private static List<DeliveryClient> alive(Collection<String> texts) {
        return read(texts).stream()
                .filter(stored -> stored.within(ALIVE))
                .map(Stored::client)
                .toList();
    }

    private static List<Stored> read(Collection<String> texts) {
        return texts.stream().map(text -> JSON.readValue(text, Stored.class)).toList();
    }

    private static <T> T ask(Supplier<T> call) {
        try {
            return call.get();
        } catch (RedisException e) {
            throw new DelayJobException("Redis did not answer about clients: " + e.getMessage(), e);
        }
    }
}
