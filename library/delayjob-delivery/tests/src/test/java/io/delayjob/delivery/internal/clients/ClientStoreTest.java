package io.delayjob.delivery.internal.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayjob.delivery.DeliveryClient;
import io.delayjob.delivery.Maker;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.redisson.api.RMap;
import org.redisson.api.RScript;
import org.redisson.api.RSet;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;
import org.redisson.misc.CompletableFutureWrapper;

/** Clients, by a Redis whose clock is a year behind that of the node. */
class ClientStoreTest {

    private static final DeliveryClient CLIENT =
            new DeliveryClient("shop", "https://worker-1.example.com", List.of("mail"), "/work");

    private final AtomicLong clock =
            new AtomicLong(System.currentTimeMillis() - Duration.ofDays(365).toMillis());
    private final Map<String, String> stored = new HashMap<>();
    private final RedissonClient redisson = mock(RedissonClient.class);
    private ClientStore store;

    @BeforeEach
    void open() {
        RScript scripts = mock(
                RScript.class,
                call -> call.getMethod().getName().equals("eval")
                        ? clock.get()
                        : new CompletableFutureWrapper<>(clock.get()));
        RMap<String, String> map = map();
        when(redisson.getScript(any(Codec.class))).thenReturn(scripts);
        when(redisson.<String, String>getMap(anyString(), any(Codec.class))).thenReturn(map);
        when(redisson.<String>getSet(anyString(), any(Codec.class))).thenReturn(set());
        store = new ClientStore(redisson, "p");
    }

    @SuppressWarnings("unchecked")
    private static RSet<String> set() {
        return mock(RSet.class);
    }

    @SuppressWarnings("unchecked")
    private RMap<String, String> map() {
        return mock(RMap.class, call -> switch (call.getMethod().getName()) {
            case "getName" -> "p:clients";
            case "containsKey" -> stored.containsKey(call.<String>getArgument(0));
            case "fastPut" -> stored.put(call.getArgument(0), call.getArgument(1)) == null;
            case "readAllValues" -> stored.values();
            case "readAllValuesAsync" -> new CompletableFutureWrapper<>(stored.values());
            default -> throw new UnsupportedOperationException(call.toString());
        });
    }

    @Test
    void areThereForThirtySecondsByItsClock() {
        store.put(CLIENT, Maker.APPLICATION);
        clock.addAndGet(Duration.ofSeconds(30).toMillis());
        assertThat(store.all()).containsExactly(CLIENT);
        assertThat(store.allAsync().toCompletableFuture().join()).containsExactly(CLIENT);

        clock.incrementAndGet();
        assertThat(store.all()).isEmpty();
        assertThat(store.allAsync().toCompletableFuture().join()).isEmpty();
    }
}
