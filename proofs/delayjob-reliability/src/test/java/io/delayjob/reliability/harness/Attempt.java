package io.delayjob.reliability.harness;

import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Journal.Line;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One time that the bean ran, put together from the journal of its node. Times are of the machine's clock, ms. */
final class Attempt {

    /**
     * Events come to the journal on a thread of their own: a killed node may have begun a job whose claim is not there. Its claim was made at most this long
     * before, which is as long as a machine may stall.
     */
    private static final long UNWRITTEN_MILLIS = 2_000;

    private final String node;
    private final Line begun;
    private final @Nullable Long claim;
    private final Map<Kind, Long> steps = new EnumMap<>(Kind.class);

    private Attempt(String node, Line begun, @Nullable Long claim) {
        this.node = node;
        this.begun = begun;
        this.claim = claim;
    }

    String node() {
        return node;
    }

    String id() {
        return begun.id();
    }

    int number() {
        return begun.attempt();
    }

    long begunMillis() {
        return begun.millis();
    }

    long dueMillis() {
        return begun.number();
    }

    /** When the claim that led to it was made; if its node did not live to write that down, the earliest it can have been. */
    long claimedMillis() {
        return claim == null ? begunMillis() - UNWRITTEN_MILLIS : claim;
    }

    /** Its place among the attempts at its job: that of its claim, or of its beginning if the claim is not known. */
    long place() {
        return claim == null ? begunMillis() : claim;
    }

    boolean has(Kind step) {
        return steps.containsKey(step);
    }

    /** When a step was written down. */
    @Nullable Long at(Kind step) {
        return steps.get(step);
    }

    @Override
    public String toString() {
        return "attempt %d on %s, begun %d, claimed %d, then %s"
                .formatted(number(), node, begunMillis(), claimedMillis(), steps);
    }

    /** The attempts that a journal tells of, in the order in which they began. */
    static List<Attempt> of(String node, List<Line> journal) {
        Map<String, NavigableMap<Long, Line>> claims = claims(journal);
        Map<String, Attempt> latest = new HashMap<>();
        List<Attempt> attempts = new ArrayList<>();
        for (Line line : journal) {
            String key = key(line);
            if (line.kind() == Kind.BEGUN) {
                Attempt attempt = new Attempt(node, line, claim(claims.get(key), line));
                latest.put(key, attempt);
                attempts.add(attempt);
            } else if (latest.containsKey(key)) {
                latest.get(key).steps.putIfAbsent(line.kind(), line.millis());
            }
        }
        return attempts;
    }

    private static Map<String, NavigableMap<Long, Line>> claims(List<Line> journal) {
        Map<String, NavigableMap<Long, Line>> claims = new HashMap<>();
        journal.stream()
                .filter(line -> line.kind() == Kind.CLAIMED)
                .forEach(line -> claims.computeIfAbsent(key(line), key -> new TreeMap<>())
                        .put(line.number(), line));
        return claims;
    }

    /** A job that was given back unspent may be claimed twice under one number: the claim right before the beginning counts. */
    private static @Nullable Long claim(@Nullable NavigableMap<Long, Line> claims, Line begun) {
        return claims == null ? null : claims.floorKey(begun.millis());
    }

    private static String key(Line line) {
        return line.id() + " " + line.attempt();
    }
}
