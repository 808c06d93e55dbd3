package io.delayjob.engine.internal.consuming;

import io.delayjob.engine.internal.calls.Queues;
import io.delayjob.engine.internal.calls.Shard;
import io.delayjob.engine.internal.pointing.PointerSweep;
import io.delayjob.engine.internal.recurring.ShardSchedules;
import io.delayjob.engine.internal.running.Node;
import io.delayjob.engine.internal.running.Room;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Doorbell;
import io.delayjob.engine.ledger.Feed;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's presence at one shard: it is registered there, its doorbell is listened for, and a loss of its data is noticed. Started
 * once and stopped once.
 */
public final class Presence {

    private static final Logger log = LoggerFactory.getLogger(Presence.class);

    private final ServedShard served;
    private final Doorbell doorbell;
    private final PolledShard polled;
    private final DataWatch data;
    private final ShardSchedules schedules;
    private final Feeder feeder;
    private final AtomicBoolean left = new AtomicBoolean();

    /** The presence of a node that claims jobs for others, whatever their names. */
    public static Presence of(Shard shard, String name, Duration lease, Room room, Wake wake, Node node) {
        return new Presence(
                new ServedShard(shard, name, lease, room, new Fleet(), wake),
                node.backend().doorbell(shard.id()),
                () -> Feed.Presence.ANY_JOB,
                node);
    }

    Presence(ServedShard served, Doorbell doorbell, Supplier<Collection<String>> names, Node node) {
        Shard shard = served.shard();
        this.served = served;
        this.doorbell = doorbell;
        this.polled = new PolledShard(shard.id(), doorbell, served.room(), served.wake());
        this.data = new DataWatch(
                shard.id(), node.hooks().telemetries().of(shard.id().queue()));
        this.schedules = new ShardSchedules(shard, node);
        this.feeder = new Feeder(served, doorbell, names, data, schedules, duties(shard, node.queues()));
    }

    /** The tasks of the holder after each of its feeds. Only the first shard's holder moves shares, and a single shard has no pointers. */
    private static List<Runnable> duties(Shard shard, Queues queues) {
        String queue = shard.id().queue();
        if (queues.ids(queue).count() == 1) {
            return List.of();
        }
        Runnable sweep = new PointerSweep(shard.id(), shard.ledger(), () -> queues.ledgers(queue))::begin;
        return shard.id().number() == 0 ? List.of(sweep, ShareBalance.of(queue, queues)::begin) : List.of(sweep);
    }

    PolledShard polled() {
        return polled;
    }

    Feeder feeder() {
        return feeder;
    }

    DataWatch data() {
        return data;
    }

    void start(NodeActors actors, Duration first) {
        feeder.first(first);
        actors.feeds().add(feeder);
    }

    /** Starts now, and listens for the doorbell. */
    public void start(NodeActors actors) {
        start(actors, actors.firstCall());
        actors.poller().add(List.of(polled));
    }

    /** Whether nodes can run different jobs, which claims have to say. */
    public boolean isMixed() {
        return served.fleet().isMixed();
    }

    /** Jobs were passed on to this node. */
    public void passedOn() {
        served.fleet().mixed();
        boolean unused = served.wake().ring();
    }

    /** Whether this node watches for the next due job on behalf of all. */
    public boolean isHolder() {
        return served.fleet().isHolder();
    }

    /** Whether there are other nodes, to which a job can be left. */
    public boolean hasOthers() {
        return served.fleet().hasOthers();
    }

    /** Rings the doorbell for another node, if there is one. */
    public void ringAnother() {
        if (hasOthers()) {
            doorbell.ring();
        }
    }

    /** Stops listening for the doorbell and feeding. Does not block. */
    public void stop(NodeActors actors) {
        actors.poller().remove(List.of(polled));
        feeder.stop();
    }

    /**
     * Notes the answer to a claim of this node.
     *
     * @param watching whether this node watches for the next job, beyond being the holder
     * @return how long it may wait until the next claim
     */
    public Duration claimed(Claimed answer, boolean watching) {
        served.fleet().claimed(answer);
        return served.fleet().untilNext(answer, watching || served.fleet().isHolder());
    }

    /** Faults that prevent this node from learning of due jobs and from serving schedules, one sentence each. */
    public Stream<String> faults() {
        return Stream.of(polled.fault(), feeder.fault(), schedules.fault()).filter(Objects::nonNull);
    }

    void awaitFed(Duration atMost) throws InterruptedException {
        if (!feeder.awaitEnd(atMost)) {
            log.debug(
                    "feeder of {} is still busy and ends by itself",
                    served.shard().id());
        }
    }

    /** Ends feeds and, after one that is under way, removes the node from the fleet; once. Does not block. */
    public void leave() {
        if (left.compareAndSet(false, true)) {
            feeder.stop();
            feeder.onceEnded(this::resign);
        }
    }

    private void resign() {
        served.shard().ledger().resign(served.node()).whenComplete((done, failure) -> {
            if (failure != null) {
                log.debug(
                        "{} could not be told that this node stops: {}",
                        served.shard().id(),
                        failure.toString());
            }
        });
    }
}
