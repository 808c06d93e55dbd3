package io.delayjob;

import static org.assertj.core.api.Assertions.assertThat;

import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import io.delayjob.ScheduleTiming.Gap;
import io.delayjob.ScheduleTiming.Repeated;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random expressions in random zones, held against cron-utils. Both differ only where a local time does not exist or exists twice;
 * decision 0131 lists how.
 */
class CronUtilsTest {

    private static final CronParser PARSER =
            new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.SPRING53));
    private static final List<ZoneId> ZONES =
            ZoneId.getAvailableZoneIds().stream().sorted().map(ZoneId::of).toList();

    @Test
    void differsOnlyWhereClocksAreChanged() {
        assertThat(unexplained(100, 50)).isEmpty();
    }

    @Test
    @Tag("proof")
    void aThousandExpressionsDifferOnlyWhereClocksAreChanged() {
        assertThat(unexplained(1_000, 150)).isEmpty();
    }

    private static List<String> unexplained(int expressions, int count) {
        Random random = new Random(20260131);
        List<String> unexplained = new ArrayList<>();
        for (int i = 0; i < expressions; i++) {
            String cron = RandomCron.next(random);
            ZoneId zone = ZONES.get(random.nextInt(ZONES.size()));
            Instant from = from(random, zone.getRules());
            Set<Instant> different = difference(ours(cron, zone, from, count), theirs(cron, zone, from, count));
            different.removeIf(instant -> isExplained(zone.getRules(), instant));
            if (!different.isEmpty()) {
                unexplained.add(cron + " in " + zone + " from " + from + ": " + different);
            }
        }
        return unexplained;
    }

    /** A random time, every second time shortly before clocks are changed. */
    private static Instant from(Random random, ZoneRules rules) {
        Instant time = RandomCron.time(random).toInstant(ZoneOffset.UTC);
        ZoneOffsetTransition change = random.nextBoolean() ? rules.nextTransition(time) : null;
        return change == null ? time : change.getInstant().minus(Duration.ofHours(30));
    }

    private static List<Instant> ours(String cron, ZoneId zone, Instant from, int count) {
        CronInstants instants = new CronInstants(CronPattern.parse(cron), zone, Gap.SHIFT, Repeated.FIRST);
        List<Instant> found = new ArrayList<>();
        Instant next = instants.next(from);
        while (next != null && found.size() < count) {
            found.add(next);
            next = instants.next(next);
        }
        return found;
    }

    private static List<Instant> theirs(String cron, ZoneId zone, Instant from, int count) {
        ExecutionTime times = ExecutionTime.forCron(PARSER.parse(cron));
        List<Instant> found = new ArrayList<>();
        Optional<ZonedDateTime> next = times.nextExecution(from.atZone(zone));
        while (next.isPresent() && found.size() < count) {
            found.add(next.get().toInstant());
            next = times.nextExecution(next.get());
        }
        return found;
    }

    /** The instants that only one has, up to the end of the one that ends first. */
    private static Set<Instant> difference(List<Instant> ours, List<Instant> theirs) {
        Set<Instant> different = new TreeSet<>(ours);
        theirs.stream().filter(instant -> !ours.contains(instant)).forEach(different::add);
        different.removeIf(instant -> ours.contains(instant) && theirs.contains(instant));
        if (!ours.isEmpty() && !theirs.isEmpty()) {
            Instant ourLast = ours.get(ours.size() - 1);
            Instant theirLast = theirs.get(theirs.size() - 1);
            different.removeIf(instant -> instant.isAfter(ourLast) || instant.isAfter(theirLast));
        }
        return different;
    }

    /** Whether the local time exists twice, or clocks that were not put forward would show one that does not exist. */
    private static boolean isExplained(ZoneRules rules, Instant instant) {
        LocalDateTime clock = LocalDateTime.ofInstant(instant, rules.getOffset(instant));
        ZoneOffsetTransition last = rules.previousTransition(instant.plusNanos(1));
        return rules.getValidOffsets(clock).size() > 1
                || last != null && instant.isBefore(last.getInstant().plus(last.getDuration()));
    }
}
