package io.delayjob.server.internal.queues;

import io.delayjob.DelayJobLimits;
import io.delayjob.Limits;
import io.delayjob.server.Access;
import io.delayjob.server.internal.web.ApiController;
import io.delayjob.server.queues.QueueLimits;
import io.delayjob.server.web.Body;
import io.delayjob.server.web.Required;
import io.delayjob.server.web.View;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import reactor.core.publisher.Mono;

/** Reads and changes the limits of queues and of keys. */
@ApiController
@RequestMapping("/queues/{queue}/limits")
public final class LimitsController {

    private final QueueLimits limits;

    /**
     * How many jobs may begin in a time.
     *
     * @param permits how many, at least 1
     * @param per in which time, at least 1 ms
     * @param burst how many more may begin at once after a time in which fewer did; 0 if left out
     */
    public record RateBody(
            @Required int permits,
            @Required Duration per,
            @Nullable Integer burst) implements Body {

        private static Limits.@Nullable Rate rate(@Nullable RateBody body) {
            return body == null ? null : new Limits.Rate(body.permits, body.per, body.burst == null ? 0 : body.burst);
        }

        private static @Nullable RateBody of(Limits.@Nullable Rate rate) {
            return rate == null ? null : new RateBody(rate.permits(), rate.per(), rate.burst());
        }
    }

    /**
     * Limits of a key. What is left out is not limited.
     *
     * @param concurrency how many of its jobs may run at once, at least 1
     * @param rate how many of its jobs may begin in a time
     * @param order {@code SKIP}, if left out: others go first while a failed job waits; {@code STRICT}: they wait for it; or
     *     {@code STRICT_HOLD}: they also wait for a dead one, until that is redriven or purged
     * @param weight how many turns it has for each of a key with the weight 1, 1 to 1000; 1 if left out
     */
    public record KeyLimitsBody(
            @Nullable Integer concurrency,
            @Nullable RateBody rate,
            Limits.@Nullable Order order,
            @Nullable Integer weight)
            implements Body, View {

        private Limits limits() {
            return new Limits(concurrency, RateBody.rate(rate), order, weight, null);
        }

        private static KeyLimitsBody of(Limits limits) {
            return new KeyLimitsBody(limits.concurrency(), RateBody.of(limits.rate()), limits.order(), limits.weight());
        }
    }

    /**
     * Limits of a queue. What is left out is not limited.
     *
     * @param concurrency how many of its jobs may run at once, at least 1 for each shard
     * @param rate how many of its jobs may begin in a time
     * @param perKey the limits of each key that has none of its own
     */
    public record LimitsBody(
            @Nullable Integer concurrency,
            @Nullable RateBody rate,
            @Nullable KeyLimitsBody perKey) implements Body, View {

        private Limits limits() {
            return new Limits(concurrency, RateBody.rate(rate), null, null, perKey == null ? null : ofEachKey(perKey));
        }

        private static Limits ofEachKey(KeyLimitsBody perKey) {
            try {
                return perKey.limits();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("perKey." + e.getMessage(), e);
            }
        }

        private static LimitsBody of(Limits limits) {
            Limits perKey = limits.perKey();
            return new LimitsBody(
                    limits.concurrency(), RateBody.of(limits.rate()), perKey == null ? null : KeyLimitsBody.of(perKey));
        }
    }

    /**
     * The limits of a queue, and what they hold back.
     *
     * @param concurrency how many of its jobs may run at once; left out for any number
     * @param rate how many of its jobs may begin in a time; left out for any number
     * @param perKey the limits of each key that has none of its own
     * @param set whether these were set while the queue runs; otherwise they are in the settings of its nodes
     * @param configured those in the settings of its nodes
     * @param keys the limits of keys that have their own
     * @param pausedKeys the keys that are paused
     * @param heldKeys how many keys have a due job that may not begin, because of a concurrency, a rate, a pause, or a dead or failed job that comes
     *     first in a strict order
     * @param limitedJobs how many due jobs are held back: all, if the limits of the queue let none begin now, else those of held keys
     * @param keyedJobs how many jobs with a key wait
     * @param longest the held keys whose next job has waited longest, at most 20
     */
    public record LimitsView(
            @Nullable Integer concurrency,
            @Nullable RateBody rate,
            @Nullable KeyLimitsBody perKey,
            boolean set,
            LimitsBody configured,
            Map<String, KeyLimitsBody> keys,
            List<String> pausedKeys,
            long heldKeys,
            long limitedJobs,
            long keyedJobs,
            List<HeldKeyView> longest)
            implements View {

        private static LimitsView of(DelayJobLimits limits) {
            LimitsBody effective = LimitsBody.of(limits.effective());
            Map<String, KeyLimitsBody> keys = new TreeMap<>();
            limits.keys().forEach((key, its) -> keys.put(key, KeyLimitsBody.of(its)));
            return new LimitsView(
                    effective.concurrency(),
                    effective.rate(),
                    effective.perKey(),
                    limits.areSet(),
                    LimitsBody.of(limits.configured()),
                    keys,
                    limits.pausedKeys(),
                    limits.heldKeys(),
                    limits.limitedJobs(),
                    limits.keyedJobs(),
                    limits.longest().stream().map(HeldKeyView::of).toList());
        }
    }

    /**
     * A key that may begin no job.
     *
     * @param key the key
     * @param paused whether it is paused
     * @param next the id of its next job
     * @param since since when a job of the key is due: that one, or in a strict order one behind it
     * @param beginsAt when the next job may begin at the earliest because of a rate, a slowing down, or its next attempt; left out if none holds it back
     * @param waiting how many of its jobs wait
     * @param running how many of its jobs run
     * @param holders the ids of some of these, at most 10
     * @param dead the ids of some of the dead jobs that hold it, at most 10; none unless its order is {@code STRICT_HOLD}
     */
    public record HeldKeyView(
            String key,
            boolean paused,
            String next,
            Instant since,
            @Nullable Instant beginsAt,
            long waiting,
            long running,
            List<String> holders,
            List<String> dead)
            implements View {

        private static HeldKeyView of(DelayJobLimits.HeldKey key) {
            return new HeldKeyView(
                    key.key(),
                    key.paused(),
                    key.next(),
                    key.since(),
                    key.beginsAt(),
                    key.waiting(),
                    key.running(),
                    key.holders(),
                    key.dead());
        }
    }

    /**
     * A key, whether it is held back or not.
     *
     * @param key the key
     * @param limits the limits that apply
     * @param set whether these were set for this key; otherwise they are those of each key
     * @param paused whether it is paused
     * @param next the id of its next job; left out if none waits
     * @param dueAt when that job is due
     * @param beginsAt when it may begin at the earliest, because of its time, a rate or a time for which the key was slowed; left out if at once
     * @param waiting how many of its jobs wait
     * @param running how many of its jobs run
     * @param holders the ids of some of these, at most 10
     * @param dead the ids of some of the dead jobs that hold it, at most 10
     */
    public record KeyView(
            String key,
            KeyLimitsBody limits,
            boolean set,
            boolean paused,
            @Nullable String next,
            @Nullable Instant dueAt,
            @Nullable Instant beginsAt,
            long waiting,
            long running,
            List<String> holders,
            List<String> dead)
            implements View {

        private static KeyView of(DelayJobLimits.OfKey key) {
            return new KeyView(
                    key.key(),
                    KeyLimitsBody.of(key.effective()),
                    key.set() != null,
                    key.paused(),
                    key.next(),
                    key.dueAt(),
                    key.beginsAt(),
                    key.waiting(),
                    key.running(),
                    key.holders(),
                    key.dead());
        }
    }

    /** Routes over the limits of an engine. */
    public LimitsController(QueueLimits limits) {
        this.limits = limits;
    }

    @GetMapping(name = "findLimits")
    public Mono<LimitsView> find(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue) {
        return limits.find(access, queue).map(LimitsView::of);
    }

    @PutMapping(name = "setLimits")
    public Mono<LimitsView> set(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @RequestBody LimitsBody body) {
        return limits.set(access, queue, body.limits()).map(LimitsView::of);
    }

    @DeleteMapping(name = "clearLimits")
    public Mono<LimitsView> clear(@RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue) {
        return limits.clear(access, queue).map(LimitsView::of);
    }

    @GetMapping(name = "findKeyLimits", path = "/keys/{key}")
    public Mono<KeyView> findOfKey(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String key) {
        return limits.find(access, queue, key).map(KeyView::of);
    }

    @PutMapping(name = "setKeyLimits", path = "/keys/{key}")
    public Mono<LimitsView> setOfKey(
            @RequestAttribute(Access.ATTRIBUTE) Access access,
            @PathVariable String queue,
            @PathVariable String key,
            @RequestBody KeyLimitsBody body) {
        return limits.set(access, queue, key, body.limits()).map(LimitsView::of);
    }

    @DeleteMapping(name = "clearKeyLimits", path = "/keys/{key}")
    public Mono<LimitsView> clearOfKey(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String key) {
        return limits.clear(access, queue, key).map(LimitsView::of);
    }

    @PostMapping(name = "pauseKey", path = "/keys/{key}/pause")
    public Mono<LimitsView> pause(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String key) {
        return limits.pause(access, queue, key).map(LimitsView::of);
    }

    @PostMapping(name = "resumeKey", path = "/keys/{key}/resume")
    public Mono<LimitsView> resume(
            @RequestAttribute(Access.ATTRIBUTE) Access access, @PathVariable String queue, @PathVariable String key) {
        return limits.resume(access, queue, key).map(LimitsView::of);
    }
}
