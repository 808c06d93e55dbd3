package io.delayjob.engine.memory;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** The index of a shard: which unfinished jobs have a mark. */
final class MarkedJobs {

    private final Map<String, SortedSet<String>> ids = new HashMap<>();

    void add(MemoryJob job) {
        job.content
                .marks()
                .forEach(mark ->
                        ids.computeIfAbsent(mark, none -> new TreeSet<>()).add(job.id));
    }

    void remove(MemoryJob job) {
        job.content
                .marks()
                .forEach(mark -> ids.computeIfPresent(mark, (same, its) -> {
                    its.remove(job.id);
                    return its.isEmpty() ? null : its;
                }));
    }

    /** The ids of the jobs with a mark. */
    SortedSet<String> of(String mark) {
        return ids.getOrDefault(mark, Collections.emptySortedSet());
    }
}
