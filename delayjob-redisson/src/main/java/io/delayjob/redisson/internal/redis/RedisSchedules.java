package io.delayjob.redisson.internal.redis;

import io.delayjob.Schedule.Overlap;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.RestorePermit;
import io.delayjob.engine.ledger.Schedules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The schedules of a shard in Redis. Each step is one script. */
final class RedisSchedules implements Schedules {

    private final ShardScripts scripts;
    private final Keys keys;

    RedisSchedules(ShardScripts scripts, Keys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    @Override
    public CompletableFuture<Found> find(List<String> names) {
        return scripts.list("find_schedules", keys, byName(names), Answers::schedules);
    }

    private static List<Object> byName(List<String> names) {
        List<Object> args = new ArrayList<>(List.of(0, 0, DECLARED_MILLIS));
        args.addAll(names);
        return args;
    }

    @Override
    public CompletableFuture<Found> due(int skipped, int limit) {
        return scripts.list("find_schedules", keys, List.of(limit, skipped, DECLARED_MILLIS), Answers::schedules);
    }

    @Override
    public CompletableFuture<Long> put(Put put) {
        List<?> args = List.of(
                put.name(),
                orEmpty(put.replaces()),
                orEmpty(put.nextMillis()),
                orEmpty(put.lastMillis()),
                put.paused() ? 1 : "",
                put.definition());
        return scripts.number("put_schedule", keys, args);
    }

    @Override
    public CompletableFuture<Boolean> remove(String name) {
        return scripts.number("remove_schedule", keys, List.of(name)).thenApply(removed -> removed == 1);
    }

    @Override
    public CompletableFuture<Boolean> pause(String name, boolean paused) {
        return scripts.number("pause_schedule", keys, List.of(name, paused ? 1 : 0))
                .thenApply(found -> found == 1);
    }

    @Override
    public CompletableFuture<Boolean> declare(List<String> names, boolean declared) {
        List<Object> args = new ArrayList<>(names);
        args.add(0, declared ? 1 : 0);
        return scripts.number("declare_schedules", keys, args).thenApply(done -> true);
    }

    @Override
    public CompletableFuture<Fired> fire(List<Proposal> proposals) {
        List<Object> args = new ArrayList<>(15 * proposals.size());
        proposals.forEach(proposal -> write(args, proposal));
        if (proposals.stream().anyMatch(RedisSchedules::hasKey)) {
            scripts.knowKeys();
        }
        return scripts.string("fire", keys, args, RedisSchedules::fired);
    }

    @Override
    public CompletableFuture<Names> names(@Nullable String after) {
        return scripts.list("schedule_names", keys, List.of(after == null ? 0 : after, MAX_BATCH), Answers::names);
    }

    @Override
    public CompletableFuture<List<KeptSchedule>> kept(List<String> names) {
        return scripts.list("find_schedules", keys, byName(names), Answers::kept);
    }

    @Override
    public CompletableFuture<List<Boolean>> restore(
            Call call, @Nullable RestorePermit permit, List<KeptSchedule> known) {
        List<Object> args = new ArrayList<>(2 + 3 * known.size());
        args.add(call.number());
        args.add(permit == null ? "" : permit.toString());
        known.forEach(one -> {
            args.add(one.name());
            args.add(one.state());
            args.add(one.definition() == null ? "" : one.definition());
        });
        return scripts.string("restore_schedules", keys.in(call.lane()), args, ResultCodes::flags);
    }

    private static boolean hasKey(Proposal proposal) {
        return proposal.outcome() instanceof Occurrence job && job.content().key() != null;
    }

    private static void write(List<Object> args, Proposal proposal) {
        args.add(proposal.schedule());
        args.add(proposal.version());
        args.add(proposal.instantMillis());
        args.add(orEmpty(proposal.nextMillis()));
        if (proposal.outcome() instanceof Skip skip) {
            args.addAll(List.of(skip.reason(), skip.instants(), "", 0, 0, "", "", "", "", "", ""));
        } else if (proposal.outcome() instanceof Occurrence job) {
            args.addAll(List.of(
                    "",
                    1,
                    overlap(job.overlap()),
                    job.pauseAfter(),
                    job.comeMillis(),
                    job.id(),
                    job.dueMillis(),
                    orEmpty(job.content().leaseMillis()),
                    RedisLedger.ownPriority(job.content()),
                    RedisLedger.key(job.content()),
                    job.content().record()));
        }
    }

    private static String overlap(Overlap overlap) {
        return switch (overlap) {
            case SKIP -> "O";
            case BUFFER_ONE, BUFFER_ALL, CANCEL_OTHER -> "W";
            case ALLOW -> "";
        };
    }

    private static Fired fired(String answer) {
        int bar = answer.indexOf('|');
        List<Decision> decisions = answer.substring(0, bar)
                .chars()
                .mapToObj(code -> decision((char) code))
                .toList();
        return new Fired(decisions, Answers.until(Long.parseLong(answer.substring(bar + 1))));
    }

    private static Decision decision(char code) {
        return switch (code) {
            case 'S' -> Decision.STORED;
            case 'K' -> Decision.SKIPPED;
            case 'O' -> Decision.OVERLAP;
            case 'E' -> Decision.EXISTS;
            case 'T' -> Decision.DEATHS;
            case 'W' -> Decision.WAITS;
            case 'D' -> Decision.DECIDED;
            case 'V' -> Decision.OTHER_VERSION;
            case 'P' -> Decision.PAUSED;
            case 'N' -> Decision.EARLY;
            case 'G' -> Decision.GONE;
            default -> throw new IllegalArgumentException("not the code of a decision: " + code);
        };
    }

    private static Object orEmpty(@Nullable Long number) {
        return number == null ? "" : number;
    }
}
