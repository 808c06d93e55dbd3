package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.redisson.events.EventStream;
import io.delayjob.redisson.events.EventStream.Page;
import io.delayjob.redisson.events.EventStream.Placed;
import io.delayjob.redisson.events.Position;
import io.delayjob.redisson.events.StreamedEvent;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.redisson.Redisson;
import org.redisson.api.RBucket;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.KeysScanOptions;
import org.redisson.api.stream.StreamAddArgs;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEventStreamIT {

    private final String prefix = "events-" + UUID.randomUUID();
    private RedissonClient redisson;
    private EventStream stream;

    @BeforeAll
    void connect() {
        Config config = new Config();
        config.useSingleServer().setAddress(RedisServer.shared().url());
        redisson = Redisson.create(config);
        stream = new RedisBackend(redisson, prefix, Runnable::run).events();
    }

    @AfterAll
    void close() {
        redisson.shutdown();
    }

    private EventStream fresh(String name) {
        return new RedisBackend(redisson, prefix + name, Runnable::run).events();
    }

    private static List<StreamedEvent> events(int first, int count) {
        return IntStream.range(first, first + count)
                .mapToObj(i -> new StreamedEvent("completed", "q", "{\"id\":\"" + i + "\"}"))
                .toList();
    }

    @Test
    void nothingIsStoredUnlessItIsWanted() {
        EventStream unwanted = fresh("-unwanted");

        assertThat(unwanted.append(events(0, 1)).join()).isFalse();

        assertThat(redisson.getKeys().getKeys(KeysScanOptions.defaults().pattern(prefix + "-unwanted*")))
                .isEmpty();
    }

    @Test
    void whatIsWantedIsReadAsItWasAppendedAndEndsByItself() {
        Position start = stream.want(100_000).join().end();
        assertThat(stream.read(start).join()).isEqualTo(new Page(true, List.of()));

        assertThat(stream.append(events(0, 200)).join()).isTrue();
        assertThat(stream.append(events(200, 50)).join()).isTrue();

        Page first = stream.read(start).join();
        assertThat(first.whole()).isTrue();
        assertThat(first.events()).extracting(Placed::event).isEqualTo(events(0, 200));
        Page second = stream.read(first.events().get(199).at()).join();
        assertThat(second.events()).extracting(Placed::event).isEqualTo(events(200, 50));
        Position end = second.events().get(49).at();
        assertThat(stream.want(100_000).join().end()).isEqualTo(end);
        assertThat(redisson.getKeys().remainTimeToLive(prefix + ":{events}"))
                .isBetween(1L, Duration.ofHours(1).toMillis());
        assertThat(redisson.getKeys().remainTimeToLive(prefix + ":{events}:wanted"))
                .isBetween(1L, Duration.ofMinutes(5).toMillis());
    }

    @Test
    void theWishForEventsKeepsFieldsOfANewerRelease() {
        EventStream asked = fresh("-newer");
        RBucket<String> wanted = redisson.getBucket(prefix + "-newer:{events}:wanted", StringCodec.INSTANCE);
        wanted.set("kept=7|since=5|weight=7|note=a=b", Duration.ofMinutes(1));

        asked.want(100).join();

        assertThat(wanted.get()).isEqualTo("kept=100|since=5|weight=7|note=a=b");
    }

    @Test
    void whatHasBeenRemovedIsNoticed() {
        EventStream small = fresh("-small");
        Position start = small.want(100).join().end();
        for (int i = 0; i < 10; i++) {
            small.append(events(i * 200, 200)).join();
        }

        Page page = small.read(start).join();

        assertThat(page.whole()).isFalse();
        assertThat(page.events()).hasSizeBetween(100, 200);
        assertThat(page.events().get(page.events().size() - 1).event())
                .isEqualTo(events(1999, 1).get(0));
        assertThat(small.read(new Position(99_999_999_999_999L, 0)).join()).isEqualTo(new Page(false, List.of()));
    }

    @Test
    void knowsForHowLongEventsAreWanted() {
        EventStream asked = fresh("-asked");
        assertThat(asked.want(100).join().sinceMillis()).isZero();
        await().until(() -> asked.want(100).join().sinceMillis() > 20);
    }

    @Test
    void aClockThatWasSetBackMakesNobodyWait() {
        EventStream asked = fresh("-set-back");
        RBucket<String> wanted = redisson.getBucket(prefix + "-set-back:{events}:wanted", StringCodec.INSTANCE);
        wanted.set("kept=100|since=99999999999999", Duration.ofMinutes(1));

        assertThat(asked.want(100).join().sinceMillis()).isZero();
        await().until(() -> asked.want(100).join().sinceMillis() > 20);
    }

    @Test
    void garbageIsReadAsItIs() {
        EventStream garbled = fresh("-garbled");
        Position start = garbled.want(100).join().end();
        redisson.<String, String>getStream(prefix + "-garbled:{events}", StringCodec.INSTANCE)
                .add(StreamAddArgs.entry("something", "else"));

        assertThat(garbled.read(start).join().events())
                .extracting(Placed::event)
                .containsExactly(new StreamedEvent("", "", ""));
    }
}
