package io.delayjob.engine.memory;

import io.delayjob.NodeSnapshot;
import io.delayjob.engine.ledger.Feed;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The registered nodes, and which of them is the holder. */
final class Members {

    private final TreeMap<String, Member> members = new TreeMap<>();
    private @Nullable String holder;
    private long holdsUntil;

    /** The latest version of data of time zones that a node had, and when such a node fed last. */
    private String zones = "";

    private long zonesMillis;

    private record Member(
            long untilMillis,
            int workers,
            int free,
            @Nullable List<String> jobs) {}

    void register(Feed.Presence presence, long now) {
        Member before = members.get(presence.node());
        Collection<String> jobs = presence.jobs();
        List<String> names = jobs != null ? List.copyOf(jobs) : before == null ? null : before.jobs();
        members.put(
                presence.node(), new Member(now + presence.stayMillis(), presence.workers(), presence.free(), names));
        members.values().removeIf(member -> member.untilMillis() <= now);
    }

    void resign(String node) {
        members.remove(node);
        if (node.equals(holder)) {
            holder = null;
        }
    }

    /** The version of another node's data of time zones that is later than this one; null if there is none. The holder then holds no longer. */
    @Nullable String laterZones(String node, String own, boolean hasSchedules, long now) {
        if (own.isEmpty() || (zones.isEmpty() && !hasSchedules)) {
            return null;
        } else if (own.compareTo(zones) >= 0 || now - zonesMillis > Feed.Terms.ZONES_MILLIS) {
            zones = own;
            zonesMillis = now;
            return null;
        }
        if (node.equals(holder)) {
            holder = null;
        }
        return zones;
    }

    /** Makes the node the holder, unless another node is; returns whether it is the holder now. */
    boolean holds(String node, long holdMillis, long now) {
        if (holder != null && !holder.equals(node) && holdsUntil > now) {
            return false;
        }
        holder = node;
        holdsUntil = now + holdMillis;
        return true;
    }

    /** Whether there is a holder. */
    boolean isHeld(long now) {
        return holder != null && holdsUntil > now;
    }

    /** The names of the jobs that a node has handlers for; null if unknown. */
    @Nullable List<String> names(String node) {
        Member member = members.get(node);
        return member == null ? null : member.jobs();
    }

    /** Whether the nodes have different handlers. */
    boolean isMixed(long now) {
        return handlers(now).distinct().count() > 1;
    }

    /** Whether a live node has a handler for the name. */
    boolean haveHandler(String name, long now) {
        return handlers(now).anyMatch(jobs -> jobs.equals(Feed.Presence.ANY_JOB) || jobs.contains(name));
    }

    private Stream<List<String>> handlers(long now) {
        return members.values().stream()
                .filter(member -> member.untilMillis() > now)
                .flatMap(member -> Stream.ofNullable(member.jobs()));
    }

    int size() {
        return members.size();
    }

    List<NodeSnapshot> alive(long now) {
        return members.entrySet().stream()
                .filter(entry -> entry.getValue().untilMillis() > now)
                .map(entry -> snapshot(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static NodeSnapshot snapshot(String node, Member member) {
        List<String> jobs = member.jobs();
        return new NodeSnapshot(node, member.workers(), member.free(), jobs == null ? Set.of() : Set.copyOf(jobs));
    }
}
