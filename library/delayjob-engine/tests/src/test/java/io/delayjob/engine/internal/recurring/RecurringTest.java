package io.delayjob.engine.internal.recurring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayjob.Dedupe;
import io.delayjob.DelayJobException;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.JobState;
import io.delayjob.Schedule;
import io.delayjob.Schedule.CatchUp;
import io.delayjob.Schedule.Overlap;
import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.ScheduleSnapshot.Decision;
import io.delayjob.SubmitResult;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.ManualRuns;
import io.delayjob.engine.Note;
import io.delayjob.engine.NoteJob;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.extension.Extensions;
import io.delayjob.engine.extension.WorkerThreads;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.HandlerRegistry;
import io.delayjob.engine.ledger.Call;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Replication;
import io.delayjob.engine.ledger.Retention;
import io.delayjob.engine.ledger.Schedules;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.ledger.StoredSchedule;
import io.delayjob.engine.memory.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules of an engine on a ledger in memory, whose clock the test moves. */
class RecurringTest {

    private static final Instant START = Instant.parse("2030-01-31T12:00:00Z");
    private static final String TOPIC = NoteJob.class.getName();

    /** At the full hours. */
    private static final Schedule HOURLY = cron("0 0 * * * *");

    private final AtomicLong clock = new AtomicLong(START.toEpochMilli() + 1);
    private final AtomicLong passing = new AtomicLong();
    private final Map<Integer, Runnable> meanwhile = new HashMap<>();
    private int readings;
    private boolean fails;
    private final MemoryBackend memory = new MemoryBackend(this::now, true);
    private final NoteJob job = new NoteJob(execution -> failIfTold());
    private final DelayJobEngine engine = engine(4, null);
    private final DelayJobSchedules schedules = engine.schedules();
    private final ManualRuns runs = engine.manualRuns();

    private static Schedule hourly(String name) {
        return Schedule.cron(name, TOPIC, "0 0 * * * *").withQueue("q").withParam(new Note("tick", 1));
    }

    private static Schedule cron(String cron) {
        return Schedule.cron("s", TOPIC, cron).withQueue("q").withParam(new Note("tick", 1));
    }

    /** The ledger's clock, which each of its steps reads once. */
    private long now() {
        Runnable other = meanwhile.remove(++readings);
        if (other != null) {
            other.run();
        }
        return clock.getAndAdd(passing.get());
    }

    /** Lets others do something just before the ledger's n-th step from now. */
    private void beforeStep(int n, Runnable other) {
        meanwhile.put(readings + n, other);
    }

    private DelayJobEngine engine(int shards, @Nullable DeclaredSchedule declared) {
        Handler[] handlers = Stream.of(TestSettings.registered(job))
                .map(handler -> handler.with(declared))
                .toArray(Handler[]::new);
        return new DelayJobEngine(
                TestSettings.node("q", TestSettings.shards(shards), TestSettings.SOON),
                memory,
                new HandlerRegistry(() -> List.of(handlers)),
                TestSettings.PARAMS,
                WorkerThreads.PLATFORM,
                Extensions.NONE);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void fireAt(String time) {
        clock.set(Instant.parse("2030-01-31T" + time + "Z").toEpochMilli());
        runs.fireSchedules();
    }

    private void run() {
        while (runs.runOne()) {
            // The next one.
        }
    }

    private void failIfTold() {
        if (fails) {
            throw new IllegalStateException("told to");
        }
    }

    /** The instants of the occurrences that ran. */
    private List<String> instants() {
        return job.ids().stream()
                .map(id -> id.replaceFirst("s@2030-01-31T(.*)Z.*", "$1"))
                .toList();
    }

    private ScheduleSnapshot found() {
        return schedules.find("s").orElseThrow();
    }

    private static Decision fired(String time) {
        return new Decision(Instant.parse("2030-01-31T" + time + "Z"), 1, "s@2030-01-31T" + time + "Z", null);
    }

    private static Decision skipped(String time, long instants, String reason) {
        return new Decision(Instant.parse("2030-01-31T" + time + "Z"), instants, null, reason);
    }

    /** The decisions, without what brings ids into their shard. */
    private List<Decision> decisions() {
        return found().decisions().stream()
                .map(one -> new Decision(
                        one.instant(),
                        one.instants(),
                        one.id() == null ? null : one.id().replaceFirst("~.*", ""),
                        one.skipped()))
                .toList();
    }

    @Test
    void eachInstantRunsOnceAsAJobThatKnowsIt() {
        schedules.put(HOURLY.withHeaders(Map.of("mine", "1")).withOptions(JobOptions.NONE.withMaxAttempts(2)));
        fireAt("12:59:59.999");
        assertThat(decisions()).isEmpty();
        fireAt("13:00:00");
        runs.fireSchedules();
        assertThat(decisions()).containsExactly(fired("13:00:00"));
        var stored = engine.admin().find("q", found().lastId()).orElseThrow();
        assertThat(stored.dueAt()).isEqualTo("2030-01-31T13:00:00Z");
        assertThat(stored.headers())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "mine",
                        "1",
                        DelayJobSchedules.SCHEDULE_HEADER,
                        "s",
                        DelayJobSchedules.INSTANT_HEADER,
                        "2030-01-31T13:00:00Z"));
        assertThat(stored.options().maxAttempts()).isEqualTo(2);
        run();
        fireAt("14:00:00");
        run();
        assertThat(job.seen())
                .extracting(NoteJob.Seen::param)
                .containsExactly(new Note("tick", 1), new Note("tick", 1));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T15:00:00Z");
        assertThat(found().fired()).isEqualTo(2);
    }

    @Test
    void theSameDefinitionAgainChangesNothing() {
        ScheduleSnapshot first = schedules.put(HOURLY);
        clock.addAndGet(Duration.ofHours(1).toMillis());
        assertThat(schedules.put(HOURLY)).isEqualTo(first);
        assertThat(first.schedule()).isEqualTo(HOURLY);
        assertThat(schedules.put(first.schedule())).isEqualTo(first);
    }

    @Test
    void anEditBeginsNowAndLeavesNoInstantBefore() {
        schedules.put(HOURLY);
        clock.set(Instant.parse("2030-01-31T13:00:10Z").toEpochMilli());
        schedules.put(cron("0 0,30 * * * *"));
        assertThat(decisions()).as("what was due before the edit").containsExactly(fired("13:00:00"));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T13:30:00Z");
    }

    @Test
    void anInstantThatWasDecidedIsNotDecidedAgainAfterAnEditToAnEarlierClock() {
        schedules.put(HOURLY);
        fireAt("14:00:00");
        clock.set(Instant.parse("2030-01-31T13:30:00Z").toEpochMilli());
        schedules.put(HOURLY.withRevision(1));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T15:00:00Z");
    }

    @Test
    void anInstantThatComesWhileItsScheduleIsStoredFires() {
        clock.set(Instant.parse("2030-01-31T12:59:59.350Z").toEpochMilli());
        passing.set(100);
        schedules.put(HOURLY);
        passing.set(0);
        runs.fireSchedules();
        assertThat(decisions()).containsExactly(fired("13:00:00"));
    }

    @Test
    void anInstantThatComesWhileItsScheduleIsEditedFires() {
        schedules.put(HOURLY);
        clock.set(Instant.parse("2030-01-31T12:59:59.500Z").toEpochMilli());
        passing.set(1000);
        schedules.put(cron("0 30 * * * *"));
        passing.set(0);
        assertThat(decisions()).containsExactly(fired("13:00:00"));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T13:30:00Z");
    }

    @Test
    void anInstantThatIsDecidedWhileItsScheduleIsEditedIsNotTheNextOne() {
        schedules.put(HOURLY);
        clock.set(Instant.parse("2030-01-31T12:59:59.900Z").toEpochMilli());
        beforeStep(2, () -> fireAt("13:00:00"));
        schedules.put(HOURLY.withRevision(1));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T14:00:00Z");
        assertThat(decisions()).containsExactly(fired("13:00:00"));
    }

    @Test
    void anEditDecidesAllInstantsThatHaveComeHoweverManyThereAre() {
        schedules.put(cron("* * * * * *").withCatchUp(CatchUp.ALL).withOverlap(Overlap.ALLOW));
        clock.set(Instant.parse("2030-01-31T12:10:00Z").toEpochMilli());
        schedules.put(HOURLY);
        assertThat(found().fired()).isEqualTo(600);
    }

    @Test
    void aMoveToAnotherQueueDecidesAllInstantsThatHaveComeHoweverManyThereAre() {
        schedules.put(cron("* * * * * *").withCatchUp(CatchUp.ALL).withOverlap(Overlap.ALLOW));
        clock.set(Instant.parse("2030-01-31T13:00:00Z").toEpochMilli());
        schedules.put(HOURLY.withQueue("other"));
        assertThat(engine.admin().counts("q").ready()).isEqualTo(3600);
        assertThat(found().lastAt()).isEqualTo("2030-01-31T13:00:00Z");
    }

    @Test
    void anEditIsRefusedWhileInstantsCannotBeDecided() {
        schedules.put(HOURLY);
        compareOnce();
        clock.set(Instant.parse("2030-01-31T13:00:00Z").toEpochMilli());
        assertThatExceptionOfType(DelayJobException.class)
                .isThrownBy(() -> schedules.put(HOURLY.withQueue("other")))
                .withMessage("schedule 's' has instants that have come and cannot be decided now: try again");
        assertThat(found().schedule().queue()).isEqualTo("q");
        assertThat(stored("q")).isEqualTo(1);
    }

    /** A journal compares the shards now, and later no more: then instants wait for it. */
    private void compareOnce() {
        for (int n = 0; n < 4; n++) {
            Ledger ledger = memory.ledger(new ShardId("q", n), Retention.NONE, Replication.NONE);
            String first = ledger.flow(new Flow.Request(null, 100, 1000)).join().read();
            ledger.flow(new Flow.Request(first, 100, 1000, true)).join();
        }
    }

    @Test
    void instantsOfLessThanAMinuteAgoAreInTime() {
        schedules.put(cron("*/20 * * * * *").withOverlap(Overlap.ALLOW));
        fireAt("12:01:00");
        assertThat(decisions()).containsExactly(fired("12:00:20"), fired("12:00:40"), fired("12:01:00"));
    }

    @Test
    void afterADowntimeTheLastInstantIsMadeUpFor() {
        schedules.put(HOURLY);
        fireAt("17:30:00");
        assertThat(decisions()).containsExactly(skipped("16:00:00", 4, "CATCH_UP"), fired("17:00:00"));
        assertThat(found().skipped()).isEqualTo(4);
    }

    @Test
    void afterADowntimeAllInstantsInsideTheWindowAreMadeUpFor() {
        schedules.put(HOURLY.withCatchUp(CatchUp.ALL)
                .withOverlap(Overlap.ALLOW)
                .withWindow(Duration.ofHours(2).plusMinutes(30)));
        fireAt("17:30:00");
        assertThat(decisions())
                .containsExactly(
                        skipped("14:00:00", 2, "WINDOW"), fired("15:00:00"), fired("16:00:00"), fired("17:00:00"));
    }

    @Test
    void afterADowntimeNoInstantIsMadeUpFor() {
        schedules.put(HOURLY.withCatchUp(CatchUp.NONE));
        fireAt("17:00:59");
        assertThat(decisions()).containsExactly(skipped("16:00:00", 4, "CATCH_UP"), fired("17:00:00"));
        fireAt("19:30:00");
        assertThat(decisions()).endsWith(skipped("19:00:00", 2, "CATCH_UP"));
    }

    @Test
    void theLastInstantIsNotMadeUpForOutsideTheWindow() {
        schedules.put(HOURLY.withWindow(Duration.ofMinutes(29)));
        fireAt("17:30:00");
        assertThat(decisions()).containsExactly(skipped("17:00:00", 5, "WINDOW"));
    }

    @Test
    void manyInstantsOfALongDowntimeAreAllCounted() {
        schedules.put(cron("* * * * * *"));
        fireAt("18:00:00");
        ScheduleSnapshot found = found();
        assertThat(found.lastAt()).isEqualTo("2030-01-31T18:00:00Z");
        assertThat(found.fired()).isEqualTo(1);
        assertThat(found.skipped() + found.fired()).isEqualTo(6 * 3600);
    }

    @Test
    void ofMoreInstantsThanOnePlanLooksAtTheLastIsMadeUpFor() {
        schedules.put(cron("* * * * * *").withOverlap(Overlap.ALLOW));
        fireAt("12:17:10");
        assertThat(found().fired()).isEqualTo(1);
        assertThat(found().skipped()).isEqualTo(1029);
    }

    @Test
    void anInstantIsSkippedWhileTheOccurrenceBeforeIsNotOver() {
        schedules.put(HOURLY);
        fireAt("13:00:00");
        fireAt("14:00:00");
        run();
        fireAt("15:00:00");
        assertThat(decisions()).extracting(Decision::skipped).containsExactly(null, "OVERLAP", null);
        assertThat(found().decisions().get(1).id())
                .isEqualTo(found().decisions().get(0).id());
    }

    @Test
    void occurrencesOverlapWhereThatIsAllowed() {
        schedules.put(HOURLY.withOverlap(Overlap.ALLOW));
        fireAt("13:00:00");
        fireAt("14:00:00");
        assertThat(engine.admin().counts("q").ready()).isEqualTo(2);
    }

    @Test
    void oneInstantWaitsForTheOccurrenceBeforeAndALaterOneTakesItsPlace() {
        schedules.put(HOURLY.withOverlap(Overlap.BUFFER_ONE));
        fireAt("13:00:00");
        fireAt("14:00:00");
        assertThat(found().waits()).isTrue();
        fireAt("14:00:01");
        fireAt("15:00:00");
        assertThat(decisions()).containsExactly(fired("13:00:00"), skipped("14:00:00", 1, "OVERLAP"));
        run();
        fireAt("15:00:01");
        assertThat(decisions())
                .containsExactly(fired("13:00:00"), skipped("14:00:00", 1, "OVERLAP"), fired("15:00:00"));
        assertThat(found().waits()).isFalse();
        run();
        assertThat(instants()).containsExactly("13:00:00", "15:00:00");
    }

    @Test
    void allInstantsWaitForTheOccurrenceBeforeAndRunInTheirOrder() {
        schedules.put(HOURLY.withOverlap(Overlap.BUFFER_ALL));
        for (String time : List.of("13:00:00", "14:00:00", "15:00:00", "16:00:00")) {
            fireAt(time);
        }
        assertThat(decisions()).containsExactly(fired("13:00:00"));
        for (String time : List.of("16:00:01", "16:00:02", "16:00:03")) {
            run();
            fireAt(time);
        }
        run();
        assertThat(decisions())
                .containsExactly(fired("13:00:00"), fired("14:00:00"), fired("15:00:00"), fired("16:00:00"));
        assertThat(instants()).containsExactly("13:00:00", "14:00:00", "15:00:00", "16:00:00");
    }

    @Test
    void ofMoreInstantsThanMayWaitTheEarliestAreSkipped() {
        schedules.put(cron("* * * * * *").withOverlap(Overlap.BUFFER_ALL));
        fireAt("12:00:01");
        Instant last = START;
        for (int seconds = 50; seconds <= 1250; seconds += 50) {
            last = START.plusSeconds(seconds);
            clock.set(last.toEpochMilli());
            runs.fireSchedules();
        }
        ScheduleSnapshot waiting = found();
        assertThat(waiting.skipped()).isEqualTo(249);
        assertThat(waiting.nextAt()).isEqualTo(last.minusSeconds(Schedule.MOST_BUFFERED - 1));
        assertThat(waiting.decisions()).extracting(Decision::skipped).contains(null, "OVERLAP");
    }

    @Test
    void anInstantThatNobodyServedWhileAnotherWaitedWasMissed() {
        schedules.put(HOURLY.withOverlap(Overlap.BUFFER_ALL));
        fireAt("13:00:00");
        fireAt("14:00:00");
        run();
        fireAt("17:30:00");
        run();
        fireAt("17:30:01");
        assertThat(decisions())
                .containsExactly(
                        fired("13:00:00"), fired("14:00:00"), skipped("16:00:00", 2, "CATCH_UP"), fired("17:00:00"));
    }

    /** The instant of 14:00 waits for the occurrence before; nobody serves those of 15:00 and 16:00 in time. */
    private void fireLateWhileOneWaits() {
        fireAt("13:00:00");
        fireAt("14:00:00");
        fireAt("17:30:00");
        run();
        fireAt("17:30:01");
        run();
        fireAt("17:30:02");
    }

    @Test
    void instantsThatNobodyServedDoNotWaitWithTheOneThatDoes() {
        schedules.put(HOURLY.withOverlap(Overlap.BUFFER_ALL));
        fireLateWhileOneWaits();
        assertThat(decisions())
                .containsExactly(
                        fired("13:00:00"), fired("14:00:00"), skipped("16:00:00", 2, "CATCH_UP"), fired("17:00:00"));
    }

    @Test
    void anInstantThatWaitsDoesNotMakeRoomForThoseThatNobodyServed() {
        schedules.put(HOURLY.withOverlap(Overlap.BUFFER_ONE).withCatchUp(CatchUp.NONE));
        fireLateWhileOneWaits();
        assertThat(decisions())
                .containsExactly(fired("13:00:00"), fired("14:00:00"), skipped("17:00:00", 3, "CATCH_UP"));
    }

    @Test
    void anInstantTakesThePlaceOfTheOccurrenceBefore() {
        schedules.put(HOURLY.withOverlap(Overlap.CANCEL_OTHER));
        fireAt("13:00:00");
        fireAt("14:00:00");
        assertThat(decisions()).containsExactly(fired("13:00:00"), fired("14:00:00"));
        assertThat(engine.admin().counts("q").ready()).isEqualTo(1);
        run();
        assertThat(instants()).containsExactly("14:00:00");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
    void anOccurrenceThatAnotherNodeStoresMeanwhileIsNotCancelled(int step) {
        schedules.put(HOURLY.withOverlap(Overlap.CANCEL_OTHER));
        fireAt("13:00:00");
        beforeStep(step, this::fireElsewhere);
        fireAt("14:00:00");
        assertThat(found().lastAt()).isEqualTo("2030-01-31T14:00:00Z");
        assertThat(engine.admin().counts("q").ready()).isEqualTo(1);
    }

    /** Another node cancels the last occurrence and fires the next instant. */
    private void fireElsewhere() {
        for (int n = 0; n < 4; n++) {
            Ledger ledger = memory.ledger(new ShardId("q", n), Retention.NONE, Replication.NONE);
            for (StoredSchedule stored :
                    ledger.schedules().find(List.of("s")).join().schedules()) {
                ledger.cancel(new Call("elsewhere", 1), List.of(String.valueOf(stored.job())))
                        .join();
                long next = Objects.requireNonNull(stored.nextMillis());
                JobContent content = JobContent.of("\"job\":\"t\"}");
                ledger.schedules()
                        .fire(List.of(new Schedules.Proposal(
                                "s",
                                stored.version(),
                                next,
                                next + 3_600_000,
                                new Schedules.Occurrence("elsewhere", next, content, Overlap.SKIP, 0, next))))
                        .join();
            }
        }
    }

    @Test
    void anInstantTakesNoPlaceOnceItsScheduleIsPaused() {
        schedules.put(HOURLY.withOverlap(Overlap.CANCEL_OTHER));
        fireAt("13:00:00");
        afterAnInstantWaits(() -> schedules.pause("s"));
        fireAt("14:00:00");
        assertThat(found().paused()).isTrue();
        assertThat(decisions()).containsExactly(fired("13:00:00"));
        run();
        assertThat(instants()).containsExactly("13:00:00");
    }

    @Test
    void anInstantOfAPauseThatIsOverTakesNoPlace() {
        schedules.put(HOURLY.withOverlap(Overlap.CANCEL_OTHER));
        fireAt("13:00:00");
        afterAnInstantWaits(() -> {
            schedules.pause("s");
            schedules.resume("s");
        });
        fireAt("14:00:00");
        run();
        assertThat(instants()).containsExactly("13:00:00");
    }

    /** Lets others do something just before the first step of the ledger after an instant has begun to wait. */
    private void afterAnInstantWaits(Runnable other) {
        beforeStep(1, () -> {
            if (found().waits()) {
                other.run();
            } else {
                afterAnInstantWaits(other);
            }
        });
    }

    @Test
    void anEditSkipsTheInstantsThatWait() {
        schedules.put(HOURLY.withOverlap(Overlap.BUFFER_ALL));
        fireAt("13:00:00");
        fireAt("14:00:00");
        fireAt("15:00:00");
        schedules.put(HOURLY.withOverlap(Overlap.SKIP));
        assertThat(decisions()).containsExactly(fired("13:00:00"), skipped("15:00:00", 2, "EDITED"));
        assertThat(found().nextAt()).isEqualTo(Instant.parse("2030-01-31T16:00:00Z"));
    }

    @Test
    void theInstantsOfAPauseAreSkipped() {
        schedules.put(HOURLY);
        assertThat(schedules.pause("s")).isTrue();
        fireAt("14:30:00");
        assertThat(decisions()).isEmpty();
        assertThat(found().paused()).isTrue();
        assertThat(schedules.resume("s")).isTrue();
        fireAt("15:00:00");
        assertThat(decisions()).containsExactly(skipped("14:00:00", 2, "PAUSED"), fired("15:00:00"));
        assertThat(schedules.pause("none")).isFalse();
        assertThat(schedules.resume("none")).isFalse();
    }

    @Test
    void aPausedScheduleStaysPausedWhenItIsEdited() {
        schedules.put(HOURLY);
        schedules.pause("s");
        schedules.put(HOURLY.withRevision(1));
        fireAt("14:30:00");
        assertThat(found().paused()).isTrue();
        assertThat(decisions()).isEmpty();
    }

    @Test
    void aRemovedScheduleLeavesItsOccurrence() {
        schedules.put(HOURLY);
        fireAt("13:00:00");
        String id = found().lastId();
        assertThat(schedules.remove("s")).isTrue();
        assertThat(schedules.remove("s")).isFalse();
        assertThat(schedules.find("s")).isEmpty();
        assertThat(schedules.list()).isEmpty();
        fireAt("14:00:00");
        assertThat(engine.admin().find("q", id)).isPresent();
        assertThat(engine.admin().counts("q").ready()).isEqualTo(1);
    }

    private ScheduleBackfill backfill(String from, String to, int perSecond, boolean dryRun) {
        return schedules
                .backfill(
                        "s",
                        Instant.parse("2030-01-31T" + from + "Z"),
                        Instant.parse("2030-01-31T" + to + "Z"),
                        perSecond,
                        dryRun)
                .orElseThrow();
    }

    @Test
    void aBackfillSubmitsTheInstantsThatHavePassed() {
        fireAt("18:30:00");
        schedules.put(HOURLY);
        ScheduleBackfill expected = new ScheduleBackfill(
                3, Instant.parse("2030-01-31T16:00:00Z"), Instant.parse("2030-01-31T18:00:00Z"), 0);
        assertThat(backfill("16:00:00", "23:00:00", 2, true)).isEqualTo(expected);
        assertThat(engine.admin().counts("q").delayed()).isZero();
        assertThat(backfill("15:00:00.001", "23:00:00", 2, false))
                .isEqualTo(new ScheduleBackfill(3, expected.first(), expected.last(), 3));
        assertThat(backfill("15:00:01", "18:00:00", 2, false))
                .as("again, and without the end")
                .isEqualTo(new ScheduleBackfill(2, expected.first(), Instant.parse("2030-01-31T17:00:00Z"), 0));
        run();
        assertThat(instants()).as("due one after the other").containsExactly("16:00:00");
        fireAt("18:30:00.999");
        run();
        fireAt("18:30:01");
        assertThat(instants()).containsExactly("16:00:00", "17:00:00");
        run();
        assertThat(instants()).containsExactly("16:00:00", "17:00:00", "18:00:00");
        assertThat(found().fired()).isZero();
        assertThat(found().nextAt()).isEqualTo(Instant.parse("2030-01-31T19:00:00Z"));
        fireAt("19:00:00");
        assertThat(decisions()).containsExactly(fired("19:00:00"));
    }

    @Test
    void aBackfillLeavesToAScheduleWhatItHasToDecide() {
        schedules.put(HOURLY);
        clock.set(Instant.parse("2030-01-31T14:30:00Z").toEpochMilli());
        assertThat(backfill("00:00:00", "23:00:00", 1, true).last()).isEqualTo(Instant.parse("2030-01-31T12:00:00Z"));
        schedules.pause("s");
        assertThat(backfill("00:00:00", "23:00:00", 1, true).last())
                .as("of a paused one, which decides nothing")
                .isEqualTo(Instant.parse("2030-01-31T14:00:00Z"));
    }

    @Test
    void refusesABackfillThatIsEmptyTooLargeOrHasNoPace() {
        schedules.put(cron("* * * * * *"));
        Instant now = START;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.backfill("s", now, now, 1, true))
                .withMessageContaining("from must be before to: from 2030-01-31T12:00:00Z");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.backfill("s", now, now.plusSeconds(1), 0, true))
                .withMessageContaining("perSecond must be 1 to 1000000: 0");
        Instant days = now.minus(Duration.ofDays(2));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.backfill("s", days, now, 1, false))
                .withMessageContaining("more than 100000 instants");
        assertThat(schedules.backfill("s", days, now, 1, true).orElseThrow().instants())
                .isEqualTo(172_800);
        assertThat(schedules.backfill("none", days, now, 1, true)).isEmpty();
    }

    private void explained(ScheduleExplanation.Reason reason, String... words) {
        ScheduleExplanation explanation = schedules.explain("s");
        assertThat(explanation.reason()).as(explanation.text()).isEqualTo(reason);
        assertThat(explanation.text()).contains(words);
    }

    @Test
    void explainsWhyAScheduleFiresOrDoesNot() {
        explained(ScheduleExplanation.Reason.NO_SUCH_SCHEDULE, "there is no schedule 's'");
        schedules.put(HOURLY);
        explained(ScheduleExplanation.Reason.NOT_DUE, "its next instant is 2030-01-31T13:00:00Z");
        fireAt("13:00:00");
        explained(
                ScheduleExplanation.Reason.NOT_DUE,
                "its next instant is 2030-01-31T14:00:00Z",
                "that instant is skipped, because overlap is SKIP. Its last occurrence: job 's@2030-01-31T13:00:00Z");
        clock.set(Instant.parse("2030-01-31T14:30:00Z").toEpochMilli());
        explained(ScheduleExplanation.Reason.NO_CONSUMER, "no live node consumes queue 'q'");
        runs.fireSchedules();
        schedules.pause("s");
        explained(ScheduleExplanation.Reason.PAUSED, "it is paused: it skips its instants until it is resumed");
    }

    @Test
    void explainsThatPeoplePausedAScheduleThatOncePausedItself() {
        schedules.put(HOURLY.withPauseAfter(1).withOptions(JobOptions.NONE.withMaxAttempts(1)));
        fireAt("13:00:00");
        fails = true;
        run();
        fireAt("14:00:00");
        explained(ScheduleExplanation.Reason.PAUSED, "it paused itself, because its last occurrences are all dead");
        schedules.resume("s");
        schedules.pause("s");
        explained(ScheduleExplanation.Reason.PAUSED, "it is paused: it skips its instants until it is resumed");
    }

    @Test
    void aTriggerIsAnExtraOccurrence() {
        schedules.put(HOURLY);
        SubmitResult extra = schedules.trigger("s").orElseThrow();
        assertThat(extra.outcome()).isEqualTo(SubmitResult.Outcome.STORED);
        assertThat(engine.admin().find("q", extra.id()).orElseThrow().headers())
                .containsEntry(DelayJobSchedules.INSTANT_HEADER, "2030-01-31T12:00:00.001Z");
        assertThat(engine.admin().find("q", extra.id()).orElseThrow().state()).isEqualTo(JobState.READY);
        fireAt("13:00:00");
        assertThat(decisions()).containsExactly(fired("13:00:00"));
        run();
        assertThat(job.seen()).hasSize(2);
        assertThat(schedules.trigger("none")).isEmpty();
    }

    @Test
    void aTriggerOfAScheduleWithALongNameHasAnIdThatFits() {
        for (int length = 85; length <= 128; length++) {
            String name = "n".repeat(length);
            schedules.put(hourly(name));
            assertThat(schedules.trigger(name).orElseThrow().id()).hasSizeLessThanOrEqualTo(128);
        }
    }

    @Test
    void schedulesOfAllShardsAreListedByNameAndFire() {
        List<String> names =
                Stream.of("a", "b", "c", "d", "e", "f", "g", "ü".repeat(128)).toList();
        for (String name : names) {
            schedules.put(hourly(name));
        }
        assertThat(schedules.list()).extracting(one -> one.schedule().name()).containsExactlyElementsOf(names);
        assertThat(schedules.count()).isEqualTo(names.size());
        fireAt("13:00:00");
        assertThat(schedules.list()).allSatisfy(one -> {
            assertThat(one.lastId()).hasSizeLessThanOrEqualTo(128);
            assertThat(engine.admin().find("q", one.lastId())).isPresent();
        });
    }

    @Test
    void aScheduleThatMovesToAnotherQueueFiresNoInstantTwice() {
        schedules.put(HOURLY);
        fireAt("13:00:00");
        schedules.put(HOURLY.withQueue("other"));
        ScheduleSnapshot moved = found();
        assertThat(moved.schedule().queue()).isEqualTo("other");
        assertThat(moved.lastAt()).isEqualTo("2030-01-31T13:00:00Z");
        assertThat(moved.nextAt()).isEqualTo("2030-01-31T14:00:00Z");
        fireAt("14:00:00");
        assertThat(engine.admin().counts("q").ready()).isEqualTo(1);
        assertThat(schedules.list()).hasSize(1);
    }

    @Test
    void aScheduleThatMovesToAnotherQueueLeavesNoInstantThatHasCome() {
        schedules.put(HOURLY);
        clock.set(Instant.parse("2030-01-31T13:00:10Z").toEpochMilli());
        schedules.put(HOURLY.withQueue("other"));
        assertThat(found().lastAt()).isEqualTo("2030-01-31T13:00:00Z");
        assertThat(engine.admin().counts("q").ready()).isEqualTo(1);
    }

    @Test
    void aPausedScheduleStaysPausedWhenItMovesToAnotherQueue() {
        schedules.put(HOURLY);
        schedules.pause("s");
        assertThat(schedules.put(HOURLY.withQueue("other")).paused()).isTrue();
    }

    /** The places to which a schedule moves: another queue, or another shard of its queue. */
    private static Stream<Schedule> moved() {
        return Stream.of(HOURLY.withQueue("other"), keyed("e"));
    }

    private static Schedule keyed(String key) {
        return HOURLY.withOptions(JobOptions.NONE.withKey(key));
    }

    @ParameterizedTest
    @MethodSource("moved")
    void aMoveThatEndsAtAnyStepLosesNeitherTheScheduleNorItsPause(Schedule moved) {
        for (int step = 1; step <= 30; step++) {
            schedules.remove("s");
            clock.set(START.toEpochMilli() + 1);
            schedules.put(HOURLY);
            schedules.pause("s");
            endAt(step, moved);
            assertThat(firing()).as("after step %d", step).isLessThanOrEqualTo(1);
            ScheduleSnapshot again = schedules.put(moved);
            assertThat(again.paused()).as("after step %d", step).isTrue();
            assertThat(again.schedule()).isEqualTo(moved);
            assertThat(again.nextAt()).isEqualTo("2030-01-31T13:00:00Z");
            assertThat(firing()).as("after step %d", step).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e"})
    void aMoveThatEndsAtAnyStepFiresEachInstantOnce(String key) {
        Schedule moved = keyed(key).withCatchUp(CatchUp.ALL).withOverlap(Overlap.ALLOW);
        for (int step = 1; step <= 30; step++) {
            schedules.remove("s");
            clock.set(Instant.parse("2030-01-31T12:30:00Z").toEpochMilli());
            schedules.put(moved.withOptions(JobOptions.NONE));
            clock.set(Instant.parse("2030-01-31T13:00:00Z").toEpochMilli());
            endAt(step, moved);
            fireAt("14:00:00");
            schedules.put(moved);
            fireAt("15:00:00");
            run();
            assertThat(instants().subList(3 * step - 3, job.seen().size()))
                    .as("after step %d", step)
                    .containsExactlyInAnyOrder("13:00:00", "14:00:00", "15:00:00");
        }
    }

    /** The node that puts a schedule ends at a step of the ledger, if there are so many. */
    private void endAt(int step, Schedule put) {
        beforeStep(step, () -> {
            throw new IllegalStateException("ended");
        });
        try {
            schedules.put(put);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessage("ended");
        }
        meanwhile.clear();
    }

    /** How many copies of the schedule have a next instant, paused or not. */
    private long firing() {
        return Stream.of("q", "other")
                .flatMap(queue -> shards(queue).stream())
                .flatMap(shard -> shard.find(List.of("s")).join().schedules().stream())
                .filter(one -> one.nextMillis() != null)
                .count();
    }

    @Test
    void ofTwoPutsAtTheSameTimeOneCopyStays() {
        for (int step = 1; step <= 30; step++) {
            beforeStep(step, () -> schedules.put(keyed("b")));
            putUnlessChanged(keyed("a"));
            assertThat(stored("q")).as("before step %d", step).isEqualTo(1);
            assertThat(firing()).isEqualTo(1);
            assertThat(schedules.remove("s")).isTrue();
        }
    }

    /** Puts a schedule, which the other put may move on at once. */
    private void putUnlessChanged(Schedule schedule) {
        try {
            schedules.put(schedule);
        } catch (DelayJobException e) {
            assertThat(e).hasMessageContaining("was changed by others at the same time");
        }
        meanwhile.clear();
    }

    @Test
    void twoMovesAtTheSameTimeLeaveOneCopyAndItsPause() {
        for (int step = 1; step <= 30; step++) {
            schedules.put(HOURLY);
            schedules.pause("s");
            beforeStep(step, () -> schedules.put(HOURLY.withQueue("other")));
            putUnlessChanged(keyed("e"));
            assertThat(found().paused()).as("before step %d", step).isTrue();
            assertThat(firing()).as("before step %d", step).isEqualTo(1);
            assertThat(schedules.remove("s")).isTrue();
        }
    }

    @Test
    void aPutAfterARemovalAtTheSameTimeIsFoundByItsName() {
        beforeStep(2, () -> memory.scheduleNames().remove("s", "q").join());
        schedules.put(HOURLY);
        assertThat(found().nextAt()).isEqualTo("2030-01-31T13:00:00Z");
        assertThat(schedules.list()).hasSize(1);
    }

    @Test
    void ofTwoPutsIntoTwoQueuesAtTheSameTimeOneIsStored() {
        beforeStep(2, () -> schedules.put(HOURLY.withQueue("other")));
        schedules.put(HOURLY);
        assertThat(found().schedule().queue()).isEqualTo("q");
        assertThat(stored("q")).isEqualTo(1);
        assertThat(stored("other")).isZero();
    }

    @Test
    void aMoveThatOthersForestallIsTriedAgain() {
        schedules.put(HOURLY);
        fireAt("13:00:00");
        beforeStep(2, () -> memory.scheduleNames().put("s", "third", "q").join());
        ScheduleSnapshot moved = schedules.put(HOURLY.withQueue("other"));
        assertThat(moved.schedule().queue()).isEqualTo("other");
        assertThat(moved.lastAt()).isEqualTo("2030-01-31T13:00:00Z");
    }

    @Test
    void aScheduleThatIsRemovedJustAfterItWasPutIsSaidToHaveChanged() {
        beforeStep(2 * shards("q").size() + 4, () -> schedules.remove("s"));
        assertThatExceptionOfType(DelayJobException.class)
                .isThrownBy(() -> schedules.put(HOURLY))
                .withMessageContaining("was changed by others at the same time");
        assertThat(stored("q")).isZero();
    }

    @Test
    void aPutDuringARemovalLeavesNothingThatFires() {
        schedules.put(HOURLY);
        beforeStep(shards("q").size() + 1, () -> schedules.put(HOURLY));
        schedules.remove("s");
        assertThat(stored("q")).isZero();
    }

    private List<Schedules> shards(String queue) {
        return IntStream.range(0, 4)
                .mapToObj(n -> memory.ledger(new ShardId(queue, n), Retention.NONE, Replication.NONE)
                        .schedules())
                .toList();
    }

    /** In how many shards of a queue the schedule is. */
    private long stored(String queue) {
        return shards(queue).stream()
                .filter(shard -> !shard.find(List.of("s")).join().schedules().isEmpty())
                .count();
    }

    @Test
    void afterAChangeOfTheNumberOfShardsNoInstantFiresTwice() {
        List<Schedule> some = Stream.of("a", "b", "c", "d", "e", "f", "g")
                .map(name -> hourly(name))
                .toList();
        try (DelayJobEngine before = engine(1, null)) {
            some.forEach(before.schedules()::put);
        }
        some.forEach(schedules::put);
        fireAt("13:00:00");
        assertThat(engine.admin().counts("q").ready()).isEqualTo(7);
        some.forEach(one -> schedules.remove(one.name()));
        assertThat(runs.millisToInstant()).isEmpty();
    }

    @Test
    void schedulesThatBelongToOtherShardsKeepNoneBack() {
        try (DelayJobEngine before = engine(1, null)) {
            IntStream.range(0, 300).forEach(n -> before.schedules().put(hourly("n" + n)));
        }
        schedules.put(cron("30 0 * * * *"));
        fireAt("13:01:00");
        assertThat(schedules.list()).hasSize(301);
        long misplaced = schedules.list().stream()
                .map(one -> schedules.explain(one.schedule().name()).reason())
                .filter(ScheduleExplanation.Reason.MISPLACED::equals)
                .count();
        assertThat(misplaced).isBetween(101L, 280L);
        assertThat(engine.admin().counts("q").ready()).isEqualTo(301 - misplaced);
    }

    @Test
    void aScheduleOfAnotherNumberOfShardsIsShownAndActedOnAndTakenAlongWhenItIsPutAgain() {
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g");
        try (DelayJobEngine before = engine(1, null)) {
            names.forEach(name -> before.schedules().put(hourly(name)));
            names.forEach(before.schedules()::pause);
        }
        String name = names.stream()
                .filter(one -> schedules.explain(one).reason() == ScheduleExplanation.Reason.MISPLACED)
                .findFirst()
                .orElseThrow();
        assertThat(schedules.find(name)).isPresent();
        assertThat(schedules.resume(name)).isTrue();
        assertThat(schedules.pause(name)).isTrue();
        assertThat(schedules.put(hourly(name)).paused()).as("still").isTrue();
        assertThat(schedules.explain(name).reason()).isEqualTo(ScheduleExplanation.Reason.PAUSED);
        assertThat(shards("q").stream()
                        .map(shard ->
                                shard.find(List.of(name)).join().schedules().size()))
                .as("where it is")
                .containsOnlyOnce(1)
                .containsOnly(0, 1);
    }

    @Test
    void aScheduleThatThisNodeCannotReadHidesNoOthersAndIsNewer() {
        schedules.put(HOURLY);
        schedules.put(hourly("readable"));
        overwrite("{\"v\":2}");
        assertThat(schedules.list()).extracting(one -> one.schedule().name()).containsExactly("readable");
        explained(ScheduleExplanation.Reason.UNREADABLE, "put the schedule again");
        assertThat(schedules.queueOf("s")).contains("q");
        assertThat(schedules.pause("s")).isTrue();
        assertThat(schedules.resume("s")).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> declare(HOURLY.withQueue("other").withRevision(7)))
                .withMessageStartingWith("the definition of schedule 's' cannot be read");
        assertThat(stored("q")).isEqualTo(1);
        schedules.put(HOURLY.withQueue("other"));
        assertThat(found().schedule().queue()).isEqualTo("other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"q", "other"})
    void aScheduleThatThisNodeCannotReadIsPutAgainThoughItsInstantHasCome(String queue) {
        schedules.put(HOURLY);
        overwrite("{\"v\":2}");
        clock.set(Instant.parse("2030-01-31T13:00:10Z").toEpochMilli());
        schedules.put(HOURLY.withQueue(queue));
        assertThat(found().lastAt()).isEqualTo("2030-01-31T13:00:00Z");
        assertThat(found().nextAt()).isEqualTo("2030-01-31T14:00:00Z");
    }

    private void overwrite(String definition) {
        for (Schedules shard : shards("q")) {
            shard.find(List.of("s"))
                    .join()
                    .schedules()
                    .forEach(known -> shard.put(new Schedules.Put(
                                    "s", known.version(), definition, known.nextMillis(), null, false))
                            .join());
        }
    }

    @Test
    void largeOccurrencesAreStoredInSeveralSteps() {
        schedules.put(cron("*/5 * * * * *").withOverlap(Overlap.ALLOW).withParam(new Note("x".repeat(120_000), 1)));
        int before = readings;
        fireAt("12:00:55");
        assertThat(readings - before)
                .as("three times due and fire, and due once more in each shard")
                .isEqualTo(10);
        assertThat(found().fired()).isEqualTo(11);
    }

    @Test
    void refusesADefinitionThatIsTooLarge() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.put(HOURLY.withParam(new Note("x".repeat(131_072), 1))))
                .withMessageMatching(
                        "the definition of schedule 's' has 131\\d{3} characters, and must have at most 131072"
                                + " with its param and headers: store what is large elsewhere, and let the param name it");
        assertThat(schedules.find("s")).isEmpty();
    }

    @Test
    void refusesHeadersThatLeaveNoRoomForThoseOfAnOccurrence() {
        Map<String, String> most = IntStream.range(0, 99).boxed().collect(Collectors.toMap(n -> "h" + n, n -> "x"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.put(HOURLY.withHeaders(most)))
                .withMessage(
                        "schedule 's' has too much in its headers, to which each occurrence adds delayjob-schedule and"
                                + " delayjob-scheduled-for: there must be at most 100 headers: 101");
        Map<String, String> large =
                IntStream.range(0, 8).boxed().collect(Collectors.toMap(n -> "h" + n, n -> "x".repeat(8190)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.put(HOURLY.withHeaders(large)))
                .withMessageContaining("headers must have at most 65536 characters");
        assertThat(schedules.find("s")).isEmpty();
    }

    @Test
    void ofTwoReleasesTheHigherRevisionWins() {
        declare(HOURLY.withRevision(2));
        declare(cron("0 30 * * * *").withRevision(1));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T13:00:00Z");
        declare(cron("0 30 * * * *").withQueue("other").withRevision(1));
        assertThat(found().schedule().queue()).isEqualTo("q");
        declare(cron("0 30 * * * *").withRevision(2));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T12:30:00Z");
        declare(cron("0 45 * * * *").withQueue("other").withRevision(3));
        assertThat(found().nextAt()).isEqualTo("2030-01-31T12:45:00Z");
    }

    @Test
    void aHigherRevisionOfAnotherNumberOfShardsStays() {
        List<String> names = List.of("a", "b", "c", "d", "e", "f", "g");
        try (DelayJobEngine before = engine(1, null)) {
            names.forEach(name -> before.schedules().put(hourly(name).withRevision(2)));
        }
        names.forEach(name -> declare(hourly(name).withRevision(1)));
        assertThat(schedules.list())
                .extracting(one -> one.schedule().revision())
                .hasSize(7)
                .containsOnly(2);
        names.forEach(name -> declare(hourly(name).withRevision(3)));
        assertThat(schedules.list())
                .extracting(one -> one.schedule().revision())
                .hasSize(7)
                .containsOnly(3);
    }

    @Test
    void aScheduleThatIsNotWantedIsRemovedUnlessANewerReleaseWantsIt() {
        declare(HOURLY.withRevision(2));
        declared(new DeclaredSchedule(HOURLY.withRevision(1), false));
        assertThat(schedules.find("s")).isPresent();
        declared(new DeclaredSchedule(HOURLY.withRevision(2), false));
        assertThat(schedules.find("s")).isEmpty();
        declared(new DeclaredSchedule(HOURLY.withRevision(2), false));
    }

    /** Of a queue with four shards, in which the name and most of these keys are apart. */
    @Test
    void aScheduleWithAKeyFiresInTheShardOfTheKeyAndMovesWithIt() {
        List<String> keys = List.of("a", "b", "c", "d", "e");
        String instant = "13:00:00";
        for (String key : keys) {
            schedules.put(HOURLY.withOptions(JobOptions.NONE.withKey(key)));
            assertThat(found().schedule().options().key()).isEqualTo(key);
            assertThat(schedules.list()).hasSize(1);
            assertThat(schedules.explain("s").reason()).isEqualTo(ScheduleExplanation.Reason.NOT_DUE);
        }
        fireAt(instant);
        run();
        assertThat(instants()).containsExactly(instant);
        assertThat(schedules.pause("s")).isTrue();
        schedules.put(HOURLY);
        assertThat(found().paused()).isTrue();
        assertThat(found().lastAt()).isEqualTo("2030-01-31T13:00:00Z");
        assertThat(schedules.remove("s")).isTrue();
        assertThat(schedules.list()).isEmpty();
    }

    @Test
    void anInstantThatHasComeIsDecidedBeforeTheScheduleMovesToTheShardOfAnotherKey() {
        schedules.put(HOURLY.withOptions(JobOptions.NONE.withKey("a")));
        clock.set(Instant.parse("2030-01-31T13:00:01Z").toEpochMilli());
        for (String key : List.of("b", "c", "d", "e")) {
            schedules.put(HOURLY.withOptions(JobOptions.NONE.withKey(key)));
        }
        assertThat(found().nextAt()).isEqualTo("2030-01-31T14:00:00Z");
        run();
        assertThat(instants()).containsExactly("13:00:00");
    }

    @Test
    void aScheduleIsAnOrphanOnceNoRunningApplicationDeclaresIt() {
        declare(HOURLY);
        Instant last = Instant.ofEpochMilli(clock.getAndAdd(Schedules.DECLARED_MILLIS + 1));
        assertThat(found().orphanSince()).isEqualTo(last);
        assertThat(schedules.list()).extracting(ScheduleSnapshot::orphanSince).containsExactly(last);
        assertThat(schedules.explain("s").text())
                .endsWith(". No running application has declared it since " + last
                        + ", though one did: remove it if it is no longer wanted");
        try (DelayJobEngine node = engine(4, new DeclaredSchedule(HOURLY, true))) {
            node.declareSchedules();
            assertThat(found().orphanSince()).isNull();
            clock.addAndGet(Schedules.DECLARED_MILLIS + 1);
            assertThat(found().orphanSince()).isNotNull();
            assertThat(node.schedules().find("s").orElseThrow().orphanSince())
                    .as("as the node sees it that declares it")
                    .isNull();
        }
        schedules.put(HOURLY);
        assertThat(found().orphanSince()).as("put otherwise").isNull();
    }

    private void declare(Schedule schedule) {
        declared(new DeclaredSchedule(schedule, true));
    }

    private void declared(DeclaredSchedule declared) {
        try (DelayJobEngine node = engine(4, declared)) {
            node.declareSchedules();
        }
    }

    @Test
    void refusesADedupeKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> schedules.put(HOURLY.withOptions(JobOptions.NONE.withDedupe(Dedupe.untilFinished("k")))))
                .withMessage(
                        "schedule 's' has the dedupe key 'k': leave it out, and choose with overlap what happens while"
                                + " the occurrence before is not over");
    }

    @Test
    void refusesAPreviewWithoutEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schedules.preview(HOURLY, 1001))
                .withMessageStartingWith("count must be at most 1000");
        assertThat(schedules.preview(HOURLY, 3)).hasSize(3);
    }
}
