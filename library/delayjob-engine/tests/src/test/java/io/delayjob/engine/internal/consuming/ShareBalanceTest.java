package io.delayjob.engine.internal.consuming;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Limits;
import io.delayjob.Limits.Rate;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.ShardLimits;
import io.delayjob.engine.ledger.ShardLimits.Standing;
import io.delayjob.engine.memory.MemoryBackend;
import io.delayjob.engine.settings.LimitShares;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the shares of a queue's limits go, and that they are never more than the whole. */
class ShareBalanceTest {

    private static final int SHARDS = 4;

    private final Random random = new Random(5);
    private final List<Kept> kept = new ArrayList<>();

    /** Calls that were sent and not answered. */
    private final List<Runnable> sent = new ArrayList<>();

    private boolean isLossy;
    private @Nullable ShareBalance balance;

    /** A shard with the rules of a ledger. */
    private static final class Kept {

        final Limits even;
        Limits share;
        String round = "";
        int running;
        int startable;
        long beginsMillis = -1000;

        Kept(Limits even) {
            this.even = even;
            this.share = even;
        }

        Standing join(String name) {
            round = name.compareTo(round) > 0 ? name : round;
            return new Standing(round, even, share, running, startable, beginsMillis, 0);
        }

        Optional<Limits> lend(String name, Limits other) {
            if (!name.equals(round)) {
                return Optional.empty();
            }
            share = other.concurrency() == null || share.concurrency() == null
                    ? other
                    : new Limits(
                            Math.max(other.concurrency(), Math.min(running, share.concurrency())),
                            other.rate(),
                            null,
                            null,
                            null);
            return Optional.of(share);
        }

        int concurrency() {
            return share.concurrency() == null ? 0 : share.concurrency();
        }
    }

    private void shards(Limits whole) {
        IntStream.range(0, SHARDS).forEach(n -> kept.add(new Kept(LimitShares.share(whole, n, SHARDS))));
    }

    private ShareBalance balance() {
        return new ShareBalance("q", kept.stream().map(this::calls).toList());
    }

    private ShardLimits calls(Kept shard) {
        return (ShardLimits) Proxy.newProxyInstance(
                ShardLimits.class.getClassLoader(), new Class<?>[] {ShardLimits.class}, (proxy, method, args) -> {
                    CompletableFuture<Object> answer = new CompletableFuture<>();
                    sent.add(() -> {
                        Object said = method.getName().equals("join")
                                ? shard.join((String) args[0])
                                : shard.lend((String) args[0], (Limits) args[2]);
                        if (random.nextInt(20) == 0 && isLossy) {
                            answer.completeExceptionally(new IllegalStateException("the answer was lost"));
                        } else {
                            answer.complete(said);
                        }
                    });
                    return answer;
                });
    }

    private void round() {
        // One that knows which rounds there were.
        balance = balance == null ? balance() : balance;
        balance.begin();
        drain();
    }

    private List<Integer> concurrencies() {
        return kept.stream().map(Kept::concurrency).toList();
    }

    private double perSecond() {
        return kept.stream()
                .mapToDouble(shard -> 1e6 / rate(shard).spacingMicros())
                .sum();
    }

    private static Rate rate(Kept shard) {
        assertThat(shard.share.rate()).isNotNull();
        return shard.share.rate();
    }

    private static final Limits PER_KEY = Limits.NONE.withPerKey(Limits.NONE.withConcurrency(1));

    /** Set while the second of three shards could not be reached; null for cleared. */
    static Stream<Arguments> reached() {
        Limits earlier = PER_KEY.withConcurrency(9);
        return Stream.of(
                Arguments.of(null, earlier),
                Arguments.of(null, PER_KEY),
                Arguments.of(earlier, PER_KEY.withConcurrency(12).withRate(6, Duration.ofSeconds(1))),
                Arguments.of(earlier, null));
    }

    @ParameterizedTest
    @MethodSource("reached")
    void limitsThatDidNotReachAShardReachItLater(@Nullable Limits before, @Nullable Limits set) {
        MemoryBackend memory = new MemoryBackend(System::currentTimeMillis);
        List<ShardLimits> shards = IntStream.range(0, 3)
                .mapToObj(n -> memory.ledger(new ShardId("q", n), Retention.NONE, Replication.NONE)
                        .limits())
                .toList();
        ShareBalance balancing = new ShareBalance("q", shards);
        long version = shards.get(0).setAfter(shared(before, 0), 0).join();
        shards.get(1).set(shared(before, 1), version).join();
        shards.get(2).set(shared(before, 2), version).join();
        balancing.begin();
        version = shards.get(0).setAfter(shared(set, 0), 0).join();
        shards.get(2).set(shared(set, 2), version).join();
        balancing.begin();
        for (ShardLimits shard : shards) {
            assertThat(shard.read(0).join())
                    .returns(set, ShardLimits.View::set)
                    .returns(version, ShardLimits.View::version);
        }
        assertThat(LimitShares.whole(shards.stream()
                        .map(shard -> shard.join("0").join().even())
                        .toList()))
                .as("each has its share")
                .isEqualTo(set == null ? Limits.NONE : Standing.shared(set));
    }

    private static ShardLimits.@Nullable Shared shared(@Nullable Limits whole, int number) {
        return LimitShares.shared(whole, number, 3);
    }

    @Test
    void aShardThatIsHeldBackGetsWhatOthersDoNotUse() {
        shards(Limits.NONE.withConcurrency(40));
        kept.get(2).startable = 9;
        kept.get(2).running = 10;
        kept.get(3).running = 4;
        round();
        assertThat(concurrencies()).containsExactly(1, 1, 33, 5);
        kept.get(1).startable = 99;
        kept.get(1).running = 1;
        kept.get(2).running = 33;
        round();
        assertThat(concurrencies()).as("what runs stays").containsExactly(1, 1, 33, 5);
        kept.get(2).startable = 99;
        kept.get(2).running = 20;
        round();
        assertThat(concurrencies()).containsExactly(1, 14, 20, 5);
        kept.get(2).running = 12;
        round();
        assertThat(concurrencies()).as("as much for each that is held back").containsExactly(1, 17, 17, 5);
    }

    @Test
    void sharesThatAreMoreThanTheWholeBecomeEven() {
        shards(Limits.NONE.withConcurrency(40).withRate(new Rate(100, Duration.ofSeconds(1), 8)));
        Limits even = kept.get(0).share;
        kept.get(2).share = even.withConcurrency(11).withRate(new Rate(100, Duration.ofSeconds(3), 2));
        round();
        assertThat(kept).extracting(shard -> shard.share).containsOnly(even);
    }

    @Test
    void shardsWithoutLimitsAreAskedAboutOnceAMinute() {
        shards(Limits.NONE);
        balance = balance();
        for (int minute = 0; minute < 3; minute++) {
            balance.begin();
            assertThat(drain()).isEqualTo(SHARDS);
            for (int n = 0; n < 60; n++) {
                balance.begin();
                assertThat(drain()).as("the first one").isEqualTo(1);
            }
        }
    }

    private int drain() {
        int calls = 0;
        while (!sent.isEmpty()) {
            sent.remove(0).run();
            calls++;
        }
        return calls;
    }

    @Test
    void limitsThatWereSetForFewerShardsAreDividedAmongAll() {
        MemoryBackend memory = new MemoryBackend(System::currentTimeMillis);
        List<ShardLimits> shards = IntStream.range(0, SHARDS)
                .mapToObj(n -> memory.ledger(new ShardId("q", n), Retention.NONE, Replication.NONE)
                        .limits())
                .toList();
        Limits whole = Limits.NONE.withConcurrency(8);
        long version =
                shards.get(0).setAfter(LimitShares.shared(whole, 0, 2), 0).join();
        shards.get(1).set(LimitShares.shared(whole, 1, 2), version).join();
        new ShareBalance("q", shards).begin();
        assertThat(shards)
                .extracting(shard -> shard.join("0").join().share().concurrency())
                .containsOnly(2);
    }

    @Test
    void nothingMovesWhileNoShardOrEachIsHeldBack() {
        shards(Limits.NONE.withConcurrency(10).withRate(new Rate(100, Duration.ofSeconds(1), 10)));
        kept.get(1).running = 3;
        round();
        assertThat(concurrencies()).containsExactly(3, 3, 2, 2);
        kept.forEach(shard -> {
            shard.running = 3;
            shard.startable = 100;
            shard.beginsMillis = 30;
        });
        round();
        assertThat(concurrencies()).containsExactly(3, 3, 2, 2);
        assertThat(perSecond()).isBetween(99.9, 100.0);
    }

    @Test
    void aRateGoesWhereJobsWaitAndComesBack() {
        shards(Limits.NONE.withRate(new Rate(100, Duration.ofSeconds(1), 10)));
        kept.get(0).startable = 1000;
        kept.get(0).beginsMillis = 30;
        for (int n = 0; n < 5; n++) {
            round();
        }
        assertThat(1e6 / rate(kept.get(0)).spacingMicros()).isBetween(92.0, 93.0);
        assertThat(perSecond()).isBetween(99.0, 100.0);
        assertThat(kept.stream().mapToInt(shard -> rate(shard).burst()).sum()).isEqualTo(10);
        kept.get(3).startable = 5;
        kept.get(3).beginsMillis = 200;
        round();
        assertThat(1e6 / rate(kept.get(3)).spacingMicros()).isBetween(47.0, 48.0);
        assertThat(rate(kept.get(0)).burst()).isBetween(4, 5);
    }

    @Test
    void theSlowestRateStaysOneThatMayBeSet() {
        shards(Limits.NONE.withRate(new Rate(1, Duration.ofDays(90), 0)));
        kept.get(0).startable = 1;
        kept.get(0).beginsMillis = 30;
        for (int n = 0; n < 5; n++) {
            round();
        }
        assertThat(rate(kept.get(0)).per()).isBetween(Duration.ofDays(90), Duration.ofDays(360));
    }

    @Test
    void allSharesAreNeverMoreThanTheWholeWhoeverMovesThemAndWhateverIsLost() {
        Limits whole = Limits.NONE.withConcurrency(20).withRate(new Rate(100, Duration.ofSeconds(1), 10));
        shards(whole);
        isLossy = true;
        int moved = 0;
        for (int seed = 0; seed < 2000; seed++) {
            random.setSeed(seed);
            kept.forEach(shard -> {
                shard.startable = random.nextInt(2) * random.nextInt(20);
                shard.beginsMillis = random.nextInt(400) - 300;
            });
            List<Integer> before = concurrencies();
            // Nodes that each take themselves for the holder, and stand still at any time.
            balance().begin();
            balance().begin();
            balance().begin();
            for (int steps = random.nextInt(40); steps > 0 && !sent.isEmpty(); steps--) {
                sent.remove(random.nextInt(sent.size())).run();
                // Jobs end, and others begin where the share lets them.
                Kept one = kept.get(random.nextInt(SHARDS));
                one.running = random.nextBoolean()
                        ? random.nextInt(one.running + 1)
                        : Math.max(one.running, random.nextInt(one.concurrency() + 1));
                assertThat(kept.stream().mapToInt(shard -> shard.running).sum()).isLessThanOrEqualTo(20);
                assertThat(concurrencies().stream().mapToInt(n -> n).sum()).isLessThanOrEqualTo(20);
                assertThat(concurrencies()).allMatch(share -> share > 0);
                assertThat(perSecond()).isLessThanOrEqualTo(100.001);
                assertThat(kept.stream().mapToInt(shard -> rate(shard).burst()).sum())
                        .isLessThanOrEqualTo(10);
            }
            moved += concurrencies().equals(before) ? 0 : 1;
        }
        assertThat(moved).isGreaterThan(100);
    }
}
