package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.actors.Actor;
import io.delayjob.engine.internal.actors.Failures;
import io.delayjob.engine.internal.calls.Futures;
import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.Rings;
import io.delayjob.engine.ledger.ShardId;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the doorbells of all shards that this node runs, and wakes their takers.
 *
 * <p>It polls many shards in one call where Redis allows that, else one shard per call, and has several calls under way. A shard
 * that rang while its queue had no free worker is polled again after its taker's next claim, so that the next ring goes to another
 * node. All requests and answers are queued for its own thread, so that no state is shared.
 */
final class DoorbellPoller extends Actor {

    private static final Logger log = LoggerFactory.getLogger(DoorbellPoller.class);

    /** The length of a poll. It is bounded because an endless poll hangs for ever on a connection that died silently. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    /** The length of a poll while shards take turns. */
    private static final Duration TURN = Duration.ofSeconds(1);

    private static final int FEW = 8;

    private final Rings rings;
    private final ScheduledExecutorService scheduler;
    private final BlockingQueue<Runnable> said = new LinkedBlockingQueue<>();

    private final Set<PolledShard> polled = new HashSet<>();
    /** The shards to poll next, longest idle first. */
    private final Set<PolledShard> idle = new LinkedHashSet<>();

    private final Set<Wait> waits = new HashSet<>();
    private boolean warned;

    /** A call that is under way. Compared by identity. */
    private static final class Wait {

        private final List<PolledShard> awaited;
        private final CompletableFuture<Optional<ShardId>> ring;

        Wait(List<PolledShard> awaited, CompletableFuture<Optional<ShardId>> ring) {
            this.awaited = awaited;
            this.ring = ring;
        }
    }

    DoorbellPoller(Rings rings, ScheduledExecutorService scheduler) {
        super("delayjob-listener", Failures.PATIENT);
        this.rings = rings;
        this.scheduler = scheduler;
    }

    /** Starts listening for these shards. */
    void add(Collection<PolledShard> added) {
        said.add(() -> {
            polled.addAll(added);
            idle.addAll(added);
        });
    }

    /** Stops listening for these shards. A ring that a poll under way still gets is passed on to another node. */
    void remove(Collection<PolledShard> removed) {
        said.add(() -> removed.forEach(shard -> {
            polled.remove(shard);
            idle.remove(shard);
        }));
    }

    @Override
    public void stop() {
        super.stop();
        said.add(() -> {});
    }

    @Override
    protected void step() throws InterruptedException {
        Runnable next = said.poll(TURN.toMillis(), TimeUnit.MILLISECONDS);
        while (next != null) {
            next.run();
            next = said.poll();
        }
        int atOnce = rings.atOnce();
        while (!idle.isEmpty() && waits.size() < atOnce && !isStopped()) {
            await(nextOnes(atOnce), atOnce);
        }
    }

    /**
     * How many shards go into one poll: few, so that several polls share the rings, but enough that half of the calls cover all
     * shards.
     */
    private int together(int atOnce) {
        int half = Math.max(1, atOnce / 2);
        return Math.min(rings.together(), Math.max(FEW, (polled.size() + half - 1) / half));
    }

    private List<PolledShard> nextOnes(int atOnce) {
        PolledShard first = idle.iterator().next();
        List<PolledShard> next = first.isAlone()
                ? List.of(first)
                : idle.stream()
                        .filter(shard -> !shard.isAlone())
                        .limit(together(atOnce))
                        .toList();
        next.forEach(idle::remove);
        return next;
    }

    private void await(List<PolledShard> awaited, int atOnce) {
        boolean turns = takesTurns(atOnce) || awaited.get(0).isAlone();
        CompletableFuture<Optional<ShardId>> ring =
                rings.next(awaited.stream().map(PolledShard::id).distinct().toList(), turns ? TURN : WAIT);
        Wait wait = new Wait(awaited, ring);
        waits.add(wait);
        ring.whenComplete((rung, failure) -> said.add(() -> over(wait)));
    }

    private boolean takesTurns(int atOnce) {
        boolean turns = polled.size() > (long) atOnce * rings.together();
        if (turns && !warned) {
            warned = true;
            log.warn(
                    "this node runs {} shards and can wait for the doorbells of {} at a time: jobs of the others may be up to"
                            + " about 1.5 s late. {}",
                    polled.size(),
                    atOnce * rings.together(),
                    rings.remedy(polled.size()));
        }
        return turns;
    }

    private void over(Wait wait) {
        waits.remove(wait);
        LedgerException failure = Futures.failure(wait.ring);
        if (failure == null) {
            wait.ring.join().ifPresentOrElse(rung -> over(wait, rung), () -> over(wait, null));
        } else {
            failed(wait.awaited, failure);
        }
    }

    private void over(Wait wait, @Nullable ShardId rung) {
        for (PolledShard shard : wait.awaited) {
            shard.failures().over();
            shard.alone(false);
            if (!shard.id().equals(rung)) {
                listenAgain(shard);
            }
        }
        // The shard that rang goes last: Redis checks the lists of a poll in order.
        wait.awaited.stream().filter(shard -> shard.id().equals(rung)).forEach(this::rung);
    }

    private void rung(PolledShard shard) {
        if (!polled.contains(shard)) {
            shard.passOn();
            return;
        }
        if (shard.hasWorker()) {
            listenAgain(shard);
        } else {
            shard.onceClaimed(() -> said.add(() -> listenAgain(shard)));
        }
        if (!shard.ring()) {
            shard.passOn();
        }
    }

    private void listenAgain(PolledShard shard) {
        if (polled.contains(shard)) {
            idle.add(shard);
        }
    }

    private void failed(List<PolledShard> awaited, LedgerException failure) {
        if (failure.kind() == LedgerException.Kind.SHUT_DOWN) {
            throw failure;
        }
        if (failure.kind() == LedgerException.Kind.REFUSED && awaited.size() > 1) {
            // Redis refuses the key of one of these shards, so each is polled alone.
            awaited.forEach(shard -> shard.alone(true));
            awaited.forEach(this::listenAgain);
            return;
        }
        Duration wait = awaited.get(0).failures().add(failure);
        scheduler.schedule(
                () -> said.add(() -> awaited.forEach(this::listenAgain)), wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Does not wait for the polls, which would delay the end of the Redis client. Each poll may have taken a ring, so each shard is
     * rung again for another node.
     */
    @Override
    protected void ended() {
        waits.forEach(wait -> wait.ring.cancel(true));
        waits.forEach(wait -> wait.awaited.forEach(PolledShard::passOn));
    }
}
