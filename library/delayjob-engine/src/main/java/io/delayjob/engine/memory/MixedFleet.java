package io.delayjob.engine.memory;

import io.delayjob.engine.ledger.ClaimRequest;
import io.delayjob.engine.ledger.Feed.Presence;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing.Position;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The first step of a claim in a mixed fleet, as in include/mixed.lua: passes jobs on to the nodes that have their handlers. */
final class MixedFleet {

    private static final Pattern NAME = Pattern.compile("\"job\":\"((?:[^\"\\\\]|\\\\[\"\\\\])+)\",");
    private static final long SHORTEST_WAIT = 5000;
    private static final int MOST_LOOKED_AT = Ledger.MAX_BATCH;

    private final MemoryShard shard;
    private final long now;
    private final @Nullable List<String> own;
    private final Set<String> told = new LinkedHashSet<>();

    @Nullable private Long later;

    private int looked;
    private int bytes;

    MixedFleet(MemoryShard shard, String node, long now) {
        this.shard = shard;
        this.now = now;
        this.own = shard.members.names(node);
    }

    /** The names of newly passed on jobs, of which nodes must be told. */
    List<String> told() {
        return List.copyOf(told);
    }

    /**
     * How many jobs at the front may be handed out.
     *
     * @param lost the number of those whose lease ran out
     * @param waiting the number of those that wait
     * @param more whether more jobs were passed on to this node than it asks for
     */
    record Front(int lost, int waiting, boolean more) {

        /** Allows as many jobs as the request asks for. */
        static Front of(ClaimRequest request, int lostLimit) {
            return new Front(lostLimit, request.limits().jobs(), false);
        }
    }

    /**
     * Prepares a claim.
     *
     * @param lostLimit how many jobs whose lease ran out the claim may hand out
     */
    Front sortOut(ClaimRequest request, int lostLimit) {
        if (own == null) {
            return Front.of(request, lostLimit);
        }
        ClaimRequest.Limits limits = request.limits();
        boolean more = takeBack(own, limits.jobs());
        int lost = clear(most -> shard.reserved.upTo(now, most), true, lostLimit, limits.bytes());
        long by = now + request.aheadMillis();
        int waiting = clear(
                most -> shard.waiting.due(by, most, request.boostMillis(), now, limits.besideLost()),
                false,
                limits.jobs(),
                limits.bytes());
        return new Front(lost, waiting, more);
    }

    private boolean takeBack(List<String> names, int most) {
        List<Hints.Hint> found = shard.hints.of(names, most + 1);
        found.stream().limit(most).forEach(hint -> {
            shard.hints.remove(hint);
            if (shard.hints.isUpToDate(hint)) {
                shard.takeBack(shard.job(hint.id()), hint.dueMillis());
                shard.note(Flow.Kind.TAKE_BACK, shard.job(hint.id()), now);
            }
        });
        return found.size() > most;
    }

    /** Passes on jobs whose lease ran out, or that wait, until as many as wanted are at the front; returns how many are. */
    private int clear(IntFunction<List<Position>> due, boolean lost, int wanted, int mostBytes) {
        int kept = 0;
        List<Position> found;
        do {
            int most = Math.min(wanted - kept, MOST_LOOKED_AT - looked);
            found = due.apply(kept + most).stream().skip(kept).toList();
            for (Position at : found) {
                if (bytes > mostBytes) {
                    return kept;
                }
                JobContent content = shard.job(at.id()).content;
                String name = name(content);
                looked++;
                bytes += content.record().getBytes(StandardCharsets.UTF_8).length;
                if (name != null && isForeign(name)) {
                    passOn(lost, at, name);
                } else {
                    kept++;
                }
            }
        } while (!found.isEmpty());
        return kept;
    }

    private boolean isForeign(String name) {
        return own != null
                && !own.equals(Presence.ANY_JOB)
                && !own.contains(name)
                && shard.members.haveHandler(name, now);
    }

    private void passOn(boolean lost, Position at, String name) {
        MemoryJob job = shard.job(at.id());
        if (lost) {
            shard.note(Flow.Kind.EXPIRE, job, now);
            job.free();
            job.lost++;
        } else {
            job.due(at.millis());
        }
        later = later == null ? Long.valueOf(now + Math.max(SHORTEST_WAIT, shard.hints.size())) : later;
        job.noHandlerSinceMillis = later;
        shard.moveBackToWaiting(job, later);
        shard.note(Flow.Kind.PASS_ON, job, now);
        if (shard.hints.add(name, job)) {
            told.add(name);
        }
    }

    private static @Nullable String name(JobContent content) {
        Matcher name = NAME.matcher(content.asSubmitted().record());
        return name.lookingAt() ? name.group(1).replaceAll("\\\\(.)", "$1") : null;
    }
}
