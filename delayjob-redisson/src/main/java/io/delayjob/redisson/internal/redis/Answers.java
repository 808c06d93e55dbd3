package io.delayjob.redisson.internal.redis;

import io.delayjob.JobState;
import io.delayjob.NodeSnapshot;
import io.delayjob.QueueCounts;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.ledger.Feed;
import io.delayjob.engine.ledger.FleetView;
import io.delayjob.engine.ledger.KeptSchedule;
import io.delayjob.engine.ledger.Lease;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.StoredJob;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.engine.ledger.Tally;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the lists that scripts answer, which their headers describe. */
final class Answers {

    /** The number of elements that describe a job, see include/describe.lua. */
    private static final int DESCRIPTION = 7;

    /** Whole numbers up to here are exact in Redis' scores and in Lua; in milliseconds, the year 287,000. */
    private static final double FARTHEST = 9e15;

    private Answers() {}

    static Claimed claimed(List<Object> answer) {
        long now = number(answer, 0);
        long next = number(answer, 2);
        String token = text(answer, 3);
        long expired = number(answer, 6);
        List<Claimed.Job> jobs = new ArrayList<>((answer.size() - 7) / 3);
        for (int i = 7; i < answer.size(); i += 3) {
            Facts facts = Facts.claimed(text(answer, i + 2), token, now / 1000);
            jobs.add(job(text(answer, i), text(answer, i + 1), facts, jobs.size() < expired, now));
        }
        return new Claimed(
                jobs,
                Claimed.Mode.valueOf(text(answer, 1)),
                next < 0 ? null : next,
                (int) number(answer, 4),
                number(answer, 5) == 1);
    }

    private static Claimed.Job job(String id, String record, Facts facts, boolean expired, long nowMicros) {
        return new Claimed.Job(
                new Lease(id, facts.token()),
                Facts.present(record),
                facts.attempt(),
                facts.leaseMillis(),
                facts.lost(),
                expired,
                facts.begun(),
                nowMicros);
    }

    static Feed.Answer fed(List<Object> answer) {
        return new Feed.Answer(
                (int) number(answer, 0),
                number(answer, 3) == 1,
                number(answer, 4),
                number(answer, 1) == 1,
                number(answer, 2) == 1,
                new Feed.Pulse(number(answer, 5), number(answer, 6)),
                answer.size() < 11 ? null : new Feed.Ring(text(answer, 9), number(answer, 10)),
                number(answer, 7),
                number(answer, 3) == 1 ? until(number(answer, 8)) : null,
                number(answer, 3) == 0 && answer.size() > 8 ? text(answer, 8) : null);
    }

    static Optional<StoredJob> found(List<Object> answer) {
        return answer.isEmpty() ? Optional.empty() : Optional.of(described(answer));
    }

    static Listing.Answer listed(List<Object> answer) {
        boolean more = !text(answer, 0).isEmpty();
        return new Listing.Answer(
                entries(answer, 2), more ? new Listing.Position(score(text(answer, 0)), text(answer, 1)) : null);
    }

    static Listing.Indexed indexed(List<Object> answer) {
        return new Listing.Indexed(entries(answer, 1), number(answer, 0) == 1);
    }

    private static List<Listing.Entry> entries(List<Object> answer, int from) {
        List<Listing.Entry> jobs = new ArrayList<>((answer.size() - from) / DESCRIPTION);
        for (int i = from; i < answer.size(); i += DESCRIPTION) {
            jobs.add(new Listing.Entry(text(answer, i), described(answer.subList(i, i + DESCRIPTION))));
        }
        return jobs;
    }

    private static StoredJob described(List<Object> job) {
        JobState state = ResultCodes.state(text(job, 1).charAt(0));
        long at = score(text(job, 2));
        String record = Facts.present(text(job, 3));
        boolean finished = state == JobState.COMPLETED || state == JobState.CANCELLED;
        return finished
                ? ended(state, at, record, FinishedJob.unpack(text(job, 4)))
                : unfinished(state, at, record, Facts.unpack(text(job, 4)), text(job, 5), text(job, 6));
    }

    private static StoredJob ended(JobState state, long at, @Nullable String record, FinishedJob outcome) {
        return new StoredJob(state, at, record, outcome.attempt(), null, null, outcome.progress(), outcome.result());
    }

    private static StoredJob unfinished(
            JobState state, long at, @Nullable String record, Facts facts, String error, String progress) {
        return new StoredJob(
                state,
                at,
                record,
                facts.attempt(),
                facts.node(),
                Facts.present(error),
                FinishedJob.progress(progress),
                null);
    }

    static FleetView fleet(List<Object> answer) {
        List<NodeSnapshot> nodes = new ArrayList<>((answer.size() - 4) / 3);
        for (int i = 4; i < answer.size(); i += 3) {
            nodes.add(node(text(answer, i), text(answer, i + 1), text(answer, i + 2)));
        }
        nodes.sort(Comparator.comparing(NodeSnapshot::node));
        long bound = number(answer, 2);
        FleetView.Fill flow = bound > 0 ? new FleetView.Fill(number(answer, 3), bound) : null;
        return new FleetView(number(answer, 0), number(answer, 1) == 1, flow, List.copyOf(nodes));
    }

    private static NodeSnapshot node(String name, String load, String jobs) {
        Fields fields = new Fields(load, null);
        Integer workers = fields.count("workers");
        Integer free = fields.count("free");
        return new NodeSnapshot(
                name,
                workers == null ? 0 : workers,
                free == null ? 0 : free,
                jobs.isEmpty() ? Set.of() : new HashSet<>(List.of(jobs.split("\n", -1))));
    }

    static Tally tally(List<Object> answer) {
        QueueCounts counts = new QueueCounts(
                number(answer, 0),
                number(answer, 1),
                number(answer, 2),
                number(answer, 3),
                number(answer, 4),
                number(answer, 5) == 1);
        Map<String, Long> unhandled = new TreeMap<>();
        for (int i = 10; i < answer.size(); i += 2) {
            String name = text(answer, i);
            unhandled.put(name.isEmpty() ? Tally.NEWER : name, number(answer, i + 1));
        }
        return new Tally(counts, number(answer, 6), number(answer, 7), number(answer, 8), number(answer, 9), unhandled);
    }

    /** Names, each followed by its value. */
    static SortedMap<String, String> pairs(List<Object> answer) {
        SortedMap<String, String> pairs = new TreeMap<>();
        for (int i = 0; i < answer.size(); i += 2) {
            pairs.put(text(answer, i), text(answer, i + 1));
        }
        return pairs;
    }

    /** A time to wait, ms; null for -1, which stands for none. */
    static @Nullable Long until(long millis) {
        return millis < 0 ? null : millis;
    }

    static Schedules.Found schedules(List<Object> answer) {
        List<StoredSchedule> found = new ArrayList<>((answer.size() - 2) / 5);
        for (int i = 2; i < answer.size(); i += 5) {
            found.add(schedule(text(answer, i), new Fields(text(answer, i + 1), "job"), answer.subList(i + 2, i + 5)));
        }
        return new Schedules.Found(number(answer, 0), until(number(answer, 1)), found);
    }

    static List<KeptSchedule> kept(List<Object> answer) {
        List<KeptSchedule> kept = new ArrayList<>((answer.size() - 2) / 5);
        for (int i = 2; i < answer.size(); i += 5) {
            kept.add(new KeptSchedule(text(answer, i), text(answer, i + 1), text(answer, i + 2)));
        }
        return kept;
    }

    static Schedules.Names names(List<Object> answer) {
        String next = text(answer, 0);
        List<String> names = answer.stream().skip(1).map(String.class::cast).toList();
        return new Schedules.Names(names, next.equals("0") ? null : next);
    }

    private static StoredSchedule schedule(String name, Fields fields, List<Object> texts) {
        return new StoredSchedule(
                name,
                orZero(fields.millis("version")),
                text(texts, 0),
                fields.millis("next"),
                fields.millis("last"),
                orZero(fields.millis("since")),
                orZero(fields.millis("held")),
                fields.text("paused") != null,
                orZero(fields.millis("fired")),
                orZero(fields.millis("skipped")),
                fields.text("job"),
                Facts.number(text(texts, 2)),
                text(texts, 1).lines().map(Answers::decided).toList());
    }

    private static StoredSchedule.Decided decided(String line) {
        String[] parts = line.split("\\|", 4);
        return new StoredSchedule.Decided(Long.parseLong(parts[0]), Long.parseLong(parts[1]), parts[2], parts[3]);
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    /**
     * Reads a score of a set, which comes as text in Redis' number format. A score that is no valid time becomes the nearest limit.
     */
    private static long score(String text) {
        double score = switch (text) {
            case "inf" -> FARTHEST;
            case "-inf" -> -FARTHEST;
            default -> Double.parseDouble(text);
        };
        return (long) Math.max(-FARTHEST, Math.min(FARTHEST, score));
    }

    static String text(List<Object> answer, int at) {
        return (String) answer.get(at);
    }

    static long number(List<Object> answer, int at) {
        return (Long) answer.get(at);
    }
}
