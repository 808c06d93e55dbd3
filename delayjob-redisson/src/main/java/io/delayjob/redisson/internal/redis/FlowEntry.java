package io.delayjob.redisson.internal.redis;

import static java.util.stream.Collectors.toMap;

import io.delayjob.JobOptions;
import io.delayjob.JobState;
import io.delayjob.engine.ledger.Flow.Kind;
import io.delayjob.engine.ledger.Flow.Step;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.KeptSchedule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads an entry of the flow log in the format of include/steps.lua: fields of the entry, then runs of steps, each with the fields
 * that all its steps have and then the steps. Fields that this release does not know are read past.
 */
final class FlowEntry {

    private static final Pattern NUMBER = Pattern.compile("-?\\d{1,15}");
    private static final Map<String, Kind> KINDS = Stream.of(Kind.values()).collect(toMap(Kind::name, kind -> kind));
    private static final Map<String, JobState> STATES = Stream.of(JobState.values())
            .filter(state -> state != JobState.READY)
            .collect(toMap(state -> String.valueOf(ResultCodes.of(state)), state -> state));

    private final String position;
    private final List<Step> steps = new ArrayList<>();
    private final Map<String, String> ofEntry = new HashMap<>();
    private Map<String, String> ofRun = Map.of();
    private @Nullable Map<String, String> ofStep;

    FlowEntry(String position) {
        this.position = position;
    }

    /**
     * Reads the steps.
     *
     * @param fields names and values, in turns
     */
    List<Step> read(List<Object> fields) {
        Map<String, String> open = ofEntry;
        for (int i = 0; i + 1 < fields.size(); i += 2) {
            String name = (String) fields.get(i);
            if (name.equals("step")) {
                endStep();
                ofRun = new HashMap<>(ofEntry);
                open = ofRun;
            } else if (name.equals("id")) {
                endStep();
                ofStep = new HashMap<>(ofRun);
                open = ofStep;
            }
            open.put(name, (String) fields.get(i + 1));
        }
        endStep();
        return steps;
    }

    private void endStep() {
        if (ofStep != null) {
            steps.add(step(ofStep));
            ofStep = null;
        }
    }

    private Step step(Map<String, String> fields) {
        JobState state = state(fields.getOrDefault("state", ""));
        Long at = number(fields, "at");
        Long attempt = state == null ? null : number(fields, "attempt");
        String id = fields.getOrDefault("id", "");
        Kind kind = kind(fields.getOrDefault("step", ""));
        return new Step(
                position,
                steps.size(),
                kind,
                at == null ? 0 : at,
                kind.isOfLimits() ? PackedKey.read(id) : id,
                state,
                attempt == null ? 0 : (int) Math.min(attempt, Integer.MAX_VALUE),
                number(fields, state == JobState.DEAD ? "died" : "due"),
                number(fields, "place"),
                fields.get("node"),
                fields.get("text"),
                content(fields),
                number(fields, "tag"),
                schedule(id, fields));
    }

    private static Kind kind(String name) {
        return KINDS.getOrDefault(name, Kind.OTHER);
    }

    /** Null if there is no such job. */
    private static @Nullable JobState state(String code) {
        return STATES.get(code);
    }

    /** A whole number of at most 15 digits; null if the field is missing or anything else. */
    private static @Nullable Long number(Map<String, String> fields, String name) {
        String value = fields.getOrDefault(name, "");
        return NUMBER.matcher(value).matches() ? Long.valueOf(value) : null;
    }

    private static @Nullable JobContent content(Map<String, String> fields) {
        String record = fields.get("record");
        return record == null
                ? null
                : new JobContent(
                        record,
                        number(fields, "lease"),
                        priority(fields),
                        PackedDedupe.read(fields.getOrDefault("dedupe", "")));
    }

    private static @Nullable KeptSchedule schedule(String name, Map<String, String> fields) {
        String packed = fields.get("schedule");
        return packed == null ? null : new KeptSchedule(name, packed, fields.get("definition"));
    }

    private static int priority(Map<String, String> fields) {
        Long priority = number(fields, "priority");
        return priority == null || priority < 0 || priority > 9 ? JobOptions.USUAL_PRIORITY : priority.intValue();
    }
}
