package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.JobState;
import io.delayjob.Limits;
import io.delayjob.Schedule.Overlap;
import io.delayjob.engine.TestSettings;
import io.delayjob.engine.ledger.Schedules.Decision;
import io.delayjob.engine.ledger.Schedules.Fired;
import io.delayjob.engine.ledger.Schedules.Occurrence;
import io.delayjob.engine.ledger.Schedules.Outcome;
import io.delayjob.engine.ledger.Schedules.Proposal;
import io.delayjob.engine.ledger.Schedules.Put;
import io.delayjob.engine.ledger.Schedules.Skip;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ledger contract: schedules. */
public abstract class ScheduleContract extends FlowContract {

    private static final String DEFINITION = "{\"v\":1,\"café\":\"a|b\"}";

    private Schedules schedules() {
        return ledger.schedules();
    }

    private long put(String name, @Nullable Long replaces, @Nullable Long next) {
        Long millis = next == null ? null : START + next;
        return schedules()
                .put(new Put(name, replaces, DEFINITION, millis, null, false))
                .join();
    }

    private StoredSchedule schedule(String name) {
        return schedules().find(List.of(name)).join().schedules().get(0);
    }

    private static Proposal proposal(String name, long version, long instant, Outcome outcome) {
        return new Proposal(name, version, START + instant, START + instant + 1000, outcome);
    }

    private static Occurrence occurrence(String id, Overlap overlap) {
        return occurrence(id, overlap, 0);
    }

    private static Occurrence occurrence(String id, Overlap overlap, long come) {
        return new Occurrence(id, START, JobContent.of(BODY), overlap, 0, START + come);
    }

    private Fired fire(Proposal... proposals) {
        return schedules().fire(List.of(proposals)).join();
    }

    private Decision fire(String name, long version, long instant) {
        return fire(proposal(name, version, instant, occurrence(name + "@" + instant, Overlap.SKIP)))
                .decisions()
                .get(0);
    }

    @Test
    void aScheduleIsFoundAsItWasPut() {
        long version = put("ä b", null, 1000L);
        assertThat(version).isPositive();
        assertThat(schedules().find(List.of("none", "ä b")).join())
                .isEqualTo(new Schedules.Found(
                        START,
                        1000L,
                        List.of(new StoredSchedule(
                                "ä b",
                                version,
                                DEFINITION,
                                START + 1000,
                                null,
                                0,
                                0,
                                false,
                                0,
                                0,
                                null,
                                null,
                                List.of()))));
    }

    @Test
    void aScheduleThatNoNodeDeclaresAnyMoreSaysSinceWhen() {
        put("s", null, 1000L);
        declare(true, "s", "none");
        time(Schedules.DECLARED_MILLIS);
        assertThat(schedule("s").undeclaredMillis()).isNull();
        time(Schedules.DECLARED_MILLIS + 1);
        assertThat(schedule("s").undeclaredMillis()).isEqualTo(START);
        assertThat(schedules().due(9).join().schedules())
                .extracting(StoredSchedule::undeclaredMillis)
                .containsExactly(START);
        declare(true, "s");
        assertThat(schedule("s").undeclaredMillis()).isNull();
    }

    @Test
    void aScheduleThatWasPutOtherwiseOrRemovedIsNotDeclared() {
        put("s", null, 1000L);
        declare(true, "s");
        declare(false, "s");
        put("removed", null, 1000L);
        declare(true, "removed");
        schedules().remove("removed").join();
        put("removed", null, 1000L);
        time(Schedules.DECLARED_MILLIS + 1);
        assertThat(schedules().find(List.of("s", "removed")).join().schedules())
                .extracting(StoredSchedule::undeclaredMillis)
                .containsExactly(null, null);
    }

    private void declare(boolean declared, String... names) {
        assertThat(schedules().declare(List.of(names), declared).join()).isTrue();
    }

    @Test
    void aScheduleIsPutOnlyInPlaceOfTheVersionThatItReplaces() {
        long first = put("s", null, 1000L);
        assertThat(put("s", null, 5L)).isZero();
        assertThat(put("s", first + 1, 5L)).isZero();
        assertThat(schedule("s").nextMillis()).isEqualTo(START + 1000);
        long second = put("s", first, 5L);
        assertThat(second).isGreaterThan(first);
        assertThat(put("s", first, 6L)).isZero();
        assertThat(put("other", 7L, 6L)).isZero();
        assertThat(schedule("s").nextMillis()).isEqualTo(START + 5);
    }

    @Test
    void anEditKeepsTheCountsAndTheLastInstant() {
        long first = put("s", null, 0L);
        fire("s", first, 0);
        time(10);
        assertThat(put("s", first, null)).isPositive();
        StoredSchedule edited = schedule("s");
        assertThat(edited.lastMillis()).isEqualTo(START);
        assertThat(edited.fired()).isEqualTo(1);
        assertThat(edited.job()).isEqualTo("s@0");
        assertThat(edited.decisions()).hasSize(1);
        assertThat(schedules().due(9).join().nextMillis()).isNull();
    }

    @Test
    void anEditPassesNoInstantThatHasCome() {
        long version = put("s", null, 10L);
        time(10);
        assertThat(put("s", version, 20L)).isZero();
        assertThat(put("s", version, null)).isZero();
        assertThat(schedule("s").nextMillis()).isEqualTo(START + 10);
        assertThat(fire("s", version, 10)).isEqualTo(Decision.STORED);
        assertThat(put("s", version, 20L)).isPositive();
    }

    @Test
    void anEditDoesNotGoBackToAnInstantThatWasDecided() {
        long version = put("s", null, 10L);
        time(10);
        fire("s", version, 10);
        assertThat(put("s", version, 10L)).isZero();
        assertThat(schedule("s").nextMillis()).isEqualTo(START + 1010);
        schedules().pause("s", true).join();
        assertThat(put("s", version, 10L)).isZero();
        assertThat(put("s", version, 11L)).isPositive();
    }

    @Test
    void aNewScheduleIsPausedIfTheOneThatItContinuesWas() {
        long version = schedules()
                .put(new Put("s", null, DEFINITION, START, null, true))
                .join();
        assertThat(schedule("s").paused()).isTrue();
        assertThat(fire("s", version, 0)).isEqualTo(Decision.PAUSED);
        assertThat(schedules().due(9).join().nextMillis()).isNull();
        schedules().pause("s", false).join();
        long resumed = schedule("s").version();
        time(5);
        fire("s", resumed, 0);
        schedules()
                .put(new Put("s", resumed, DEFINITION, START + 2000, null, true))
                .join();
        assertThat(schedule("s").paused()).as("of an edited one").isFalse();
    }

    @Test
    void anInstantThatWasDecidedUnderTheNameBeforeIsNotDecidedAgain() {
        long version = schedules()
                .put(new Put("s", null, DEFINITION, START, START + 5, false))
                .join();
        assertThat(fire("s", version, 0)).isEqualTo(Decision.DECIDED);
        time(6);
        assertThat(fire("s", version, 6)).isEqualTo(Decision.STORED);
    }

    @Test
    void schedulesWhoseInstantHasComeAreDueTheEarliestFirst() {
        put("later", null, 300L);
        put("b", null, 20L);
        put("a", null, 10L);
        put("never", null, null);
        assertThat(schedules().due(9).join()).isEqualTo(new Schedules.Found(START, 10L, List.of()));
        time(20);
        Schedules.Found due = schedules().due(9).join();
        assertThat(due.schedules()).extracting(StoredSchedule::name).containsExactly("a", "b");
        assertThat(due.nextMillis()).isZero();
        assertThat(schedules().due(1).join().schedules())
                .extracting(StoredSchedule::name)
                .containsExactly("a");
        assertThat(schedules().due(1, 9).join().schedules())
                .extracting(StoredSchedule::name)
                .containsExactly("b");
        assertThat(schedules().due(2, 9).join().schedules()).isEmpty();
    }

    @Test
    void schedulesThatAreDueAreReadWithTheirLastDecisionAlone() {
        long version = put("s", null, 0L);
        assertThat(schedules().due(9).join().schedules()).containsExactly(schedule("s"));
        fire(version, 0, Overlap.ALLOW);
        time(1000);
        assertThat(schedules().due(9).join().schedules()).containsExactly(schedule("s"));
        fire(version, 1000, Overlap.ALLOW);
        time(2000);
        assertThat(schedule("s").decisions()).hasSize(2);
        assertThat(schedules().due(9).join().schedules())
                .singleElement()
                .extracting(StoredSchedule::decisions)
                .isEqualTo(List.of(new StoredSchedule.Decided(START + 1000, 1, "", "s@1000")));
    }

    @Test
    void manyDecisionsAreTheLastOnes() {
        long version = put("s", null, 0L);
        for (int i = 0; i < StoredSchedule.KEPT + 5; i++) {
            time(1000L * i);
            fire(version, 1000L * i, Overlap.ALLOW);
        }
        assertThat(schedule("s").decisions())
                .hasSize(StoredSchedule.KEPT)
                .startsWith(new StoredSchedule.Decided(START + 5000, 1, "", "s@5000"));
    }

    @Test
    void anInstantFiresOnceHoweverOftenItIsProposed() {
        long version = put("s", null, 0L);
        assertThat(fire("s", version, 0)).isEqualTo(Decision.STORED);
        assertThat(fire("s", version, 0)).isEqualTo(Decision.DECIDED);
        assertThat(found("s@0").state()).isEqualTo(JobState.READY);
        complete(claimOne());
        assertThat(fire("s", version, 0)).isEqualTo(Decision.DECIDED);
        assertThat(find("s@0")).isEmpty();
        StoredSchedule fired = schedule("s");
        assertThat(fired.lastMillis()).isEqualTo(START);
        assertThat(fired.nextMillis()).isEqualTo(START + 1000);
        assertThat(fired.fired()).isEqualTo(1);
        assertThat(fired.decisions()).containsExactly(new StoredSchedule.Decided(START, 1, "", "s@0"));
    }

    @Test
    void anOccurrenceIsAJobWithItsDueTimeAndLease() {
        long version = put("s", null, 0L);
        Occurrence late = new Occurrence("a|b", START + 70, new JobContent(BODY, 1234L, null), Overlap.SKIP, 0, START);
        assertThat(fire(proposal("s", version, 0, late))).isEqualTo(new Fired(List.of(Decision.STORED), 1000L));
        assertThat(schedule("s").job()).isEqualTo("a|b");
        assertThat(schedule("s").decisions()).containsExactly(new StoredSchedule.Decided(START, 1, "", "a|b"));
        assertThat(found("a|b").state()).isEqualTo(JobState.DELAYED);
        assertThat(found("a|b").atMillis()).isEqualTo(START + 70);
        time(70);
        assertThat(claimJob().leaseMillis()).isEqualTo(1234);
    }

    @Test
    void anOccurrenceHasItsPriority() {
        long version = put("s", null, 0L);
        submit(job("usual", 0));
        JobContent high = JobContent.of(BODY).withPriority(9);
        fire(proposal("s", version, 0, new Occurrence("high", START, high, Overlap.SKIP, 0, START)));
        assertThat(claimed(2, BOOST)).containsExactly("high", "usual");
    }

    @Test
    void anOccurrenceIsFoundByItsMarks() {
        long version = put("s", null, 0L);
        fire(proposal("s", version, 0, new Occurrence("a", START, marked(RED, BLUE), Overlap.SKIP, 0, START)));
        assertThat(indexed(RED)).containsExactly("a");
        complete(claimOne());
        assertThat(indexed(BLUE)).isEmpty();
    }

    @Test
    void noInstantFiresEarly() {
        long version = put("s", null, 10L);
        time(9);
        assertThat(fire("s", version, 10)).isEqualTo(Decision.EARLY);
        time(10);
        assertThat(fire("s", version, 10)).isEqualTo(Decision.STORED);
    }

    @Test
    void aProposalForAnotherVersionHasNoEffect() {
        long first = put("s", null, 5L);
        long second = put("s", first, 5L);
        time(5);
        assertThat(fire("s", first, 5)).isEqualTo(Decision.OTHER_VERSION);
        assertThat(find("s@5")).isEmpty();
        assertThat(fire("s", second, 5)).isEqualTo(Decision.STORED);
    }

    @Test
    void anInstantIsSkippedWhileTheOccurrenceBeforeWaitsOrRuns() {
        long version = put("s", null, 0L);
        fire("s", version, 0);
        time(1000);
        assertThat(fire("s", version, 1000)).isEqualTo(Decision.OVERLAP);
        Lease held = claimOne();
        time(2000);
        assertThat(fire("s", version, 2000)).isEqualTo(Decision.OVERLAP);
        retry(held, 5000);
        time(3000);
        assertThat(fire("s", version, 3000)).isEqualTo(Decision.OVERLAP);
        time(7000);
        bury(claimOne());
        assertThat(fire("s", version, 7000)).isEqualTo(Decision.STORED);
        StoredSchedule schedule = schedule("s");
        assertThat(schedule.fired()).isEqualTo(2);
        assertThat(schedule.skipped()).isEqualTo(3);
        assertThat(schedule.decisions())
                .containsExactly(
                        new StoredSchedule.Decided(START, 1, "", "s@0"),
                        new StoredSchedule.Decided(START + 1000, 1, "OVERLAP", "s@0"),
                        new StoredSchedule.Decided(START + 2000, 1, "OVERLAP", "s@0"),
                        new StoredSchedule.Decided(START + 3000, 1, "OVERLAP", "s@0"),
                        new StoredSchedule.Decided(START + 7000, 1, "", "s@7000"));
    }

    private Decision fire(long version, long instant, Overlap overlap) {
        return fire(proposal("s", version, instant, occurrence("s@" + instant, overlap, instant)))
                .decisions()
                .get(0);
    }

    @ParameterizedTest
    @EnumSource(names = {"BUFFER_ONE", "BUFFER_ALL", "CANCEL_OTHER"})
    void anInstantWaitsForTheOccurrenceBefore(Overlap overlap) {
        long version = put("s", null, 0L);
        fire(version, 0, overlap);
        time(1000);
        assertThat(fire(version, 1000, overlap)).isEqualTo(Decision.WAITS);
        Lease held = claimOne();
        time(1500);
        assertThat(fire(version, 1000, overlap)).as("while it runs").isEqualTo(Decision.WAITS);
        StoredSchedule waiting = schedule("s");
        assertThat(waiting.heldMillis()).isEqualTo(START + 1000);
        assertThat(waiting.nextMillis()).isEqualTo(START + 1000);
        assertThat(waiting.lastMillis()).isEqualTo(START);
        assertThat(waiting.decisions()).hasSize(1);
        assertThat(waiting.skipped()).isZero();
        complete(held);
        assertThat(fire(version, 1000, overlap)).isEqualTo(Decision.STORED);
        assertThat(schedule("s").fired()).isEqualTo(2);
        assertThat(schedule("s").nextMillis()).isEqualTo(START + 2000);
        time(2000);
        assertThat(schedules().due(9).join().schedules()).hasSize(1);
    }

    @Test
    void anInstantThatWaitsIsDueAgainSoonAndKeepsNoneBack() {
        long version = put("s", null, 0L);
        fire(version, 0, Overlap.BUFFER_ALL);
        put("later", null, 1100L);
        time(1000);
        assertThat(fire(proposal("s", version, 1000, occurrence("s@1000", Overlap.BUFFER_ALL)))
                        .nextMillis())
                .isEqualTo(100);
        assertThat(schedules().due(9).join().schedules()).isEmpty();
        time(1100);
        assertThat(schedules().due(9).join().schedules())
                .extracting(StoredSchedule::name)
                .containsExactly("later");
        time(1000 + Schedules.AGAIN_MILLIS);
        assertThat(schedules().due(9).join().schedules())
                .extracting(StoredSchedule::name)
                .containsExactly("later", "s");
    }

    @Test
    void tellsHowLongTheEarliestInstantHasNotBeenServed() {
        assertThat(ledger.tally().join().unservedMillis()).isZero();
        long version = put("s", null, 1000L);
        put("later", null, 9000L);
        time(1000);
        assertThat(ledger.tally().join().unservedMillis()).isZero();
        time(4000);
        assertThat(ledger.tally().join().unservedMillis()).isEqualTo(3000);
        fire("s", version, 1000);
        assertThat(ledger.tally().join().unservedMillis()).isEqualTo(2000);
        fire(version, 2000, Overlap.BUFFER_ONE);
        assertThat(ledger.tally().join().unservedMillis())
                .as("one that waits was served")
                .isZero();
    }

    @Test
    void aScheduleIsNotPutWhileAnInstantWaits() {
        long version = put("s", null, 0L);
        fire(version, 0, Overlap.BUFFER_ONE);
        time(1000);
        fire(version, 1000, Overlap.BUFFER_ONE);
        assertThat(put("s", version, 9000L)).isZero();
        assertThat(fire(proposal("s", version, 1000, new Skip("EDITED", 1))).decisions())
                .containsExactly(Decision.SKIPPED);
        assertThat(put("s", version, 9000L)).isPositive();
        assertThat(schedule("s").heldMillis()).isEqualTo(START + 1000);
    }

    private Decision fire(long version, long instant, int pauseAfter) {
        time(instant);
        Outcome occurrence =
                new Occurrence("s@" + instant, START, JobContent.of(BODY), Overlap.SKIP, pauseAfter, START + instant);
        return fire(proposal("s", version, instant, occurrence)).decisions().get(0);
    }

    @Test
    void aSchedulePausesItselfAfterSomeDeathsInARow() {
        long version = put("s", null, 0L);
        for (int instant = 0; instant < 5000; instant += 1000) {
            assertThat(fire(version, instant, 3)).isEqualTo(Decision.STORED);
            // The third one completes, which begins the count again.
            if (instant == 2000) {
                complete(claimOne());
            } else {
                bury(claimOne());
            }
        }
        assertThat(fire(version, 5000, 3)).as("two are dead").isEqualTo(Decision.STORED);
        assertThat(fire(version, 6000, 3)).as("it has not run").isEqualTo(Decision.OVERLAP);
        bury(claimOne());

        assertThat(fire(version, 7000, 3)).isEqualTo(Decision.DEATHS);
        assertThat(fire(version, 8000, 3)).isEqualTo(Decision.PAUSED);

        StoredSchedule schedule = schedule("s");
        assertThat(schedule.paused()).isTrue();
        assertThat(schedule.decisions()).endsWith(new StoredSchedule.Decided(START + 7000, 1, "DEATHS", "s@5000"));
        assertThat(schedules().due(9).join().schedules()).isEmpty();
        schedules().pause("s", false).join();
        long resumed = schedule("s").version();
        assertThat(fire(resumed, 9000, 1)).as("the count begins again").isEqualTo(Decision.STORED);
        bury(claimOne());
        assertThat(fire(resumed, 10_000, 1)).isEqualTo(Decision.DEATHS);
    }

    @Test
    void deathsDoNotMatterToAScheduleThatDoesNotPauseItself() {
        long version = put("s", null, 0L);
        for (int instant = 0; instant < 5000; instant += 1000) {
            assertThat(fire(version, instant, 0)).isEqualTo(Decision.STORED);
            bury(claimOne());
        }
    }

    @Test
    void deathsAreCountedAnewOnceTheScheduleHasNotPausedItself() {
        long version = put("s", null, 0L);
        int[] pauseAfter = {3, 3, 0, 3, 3};
        for (int n = 0; n < pauseAfter.length; n++) {
            assertThat(fire(version, n * 1000L, pauseAfter[n])).isEqualTo(Decision.STORED);
            bury(claimOne());
        }
        assertThat(fire(version, 5000, 3)).isEqualTo(Decision.DEATHS);
    }

    @Test
    void instantsOfOneCallOverlapAsThoseOfSeveralDo() {
        long version = put("s", null, 0L);
        time(5000);
        assertThat(fire(
                                proposal("s", version, 0, occurrence("a", Overlap.SKIP)),
                                proposal("s", version, 1000, occurrence("b", Overlap.SKIP)),
                                proposal("s", version, 2000, occurrence("c", Overlap.ALLOW)),
                                proposal("s", version, 3000, occurrence("c", Overlap.ALLOW)),
                                proposal("s", version, 2500, occurrence("d", Overlap.ALLOW)))
                        .decisions())
                .containsExactly(Decision.STORED, Decision.OVERLAP, Decision.STORED, Decision.EXISTS, Decision.DECIDED);
        assertThat(schedule("s").lastMillis()).isEqualTo(START + 3000);
        assertThat(find("a")).isPresent();
        assertThat(find("c")).isPresent();
        assertThat(find("b")).isEmpty();
        assertThat(find("d")).isEmpty();
    }

    @Test
    void aJobThatHasTheIdOfAnOccurrenceStays() {
        long version = put("s", null, 0L);
        submit(job("s@0", 77));
        assertThat(fire("s", version, 0)).isEqualTo(Decision.EXISTS);
        assertThat(found("s@0").atMillis()).isEqualTo(START + 77);
        assertThat(schedule("s").skipped()).isEqualTo(1);
    }

    @Test
    void skippedInstantsAreCountedAndMoveTheSchedule() {
        long version = put("s", null, 0L);
        time(9000);
        assertThat(fire(proposal("s", version, 8000, new Skip("WINDOW", 9))).decisions())
                .containsExactly(Decision.SKIPPED);
        StoredSchedule schedule = schedule("s");
        assertThat(schedule.skipped()).isEqualTo(9);
        assertThat(schedule.fired()).isZero();
        assertThat(schedule.nextMillis()).isEqualTo(START + 9000);
        assertThat(schedule.decisions()).containsExactly(new StoredSchedule.Decided(START + 8000, 9, "WINDOW", ""));
    }

    @Test
    void theLastDecisionsAreKept() {
        long version = put("s", null, 0L);
        time(100_000);
        for (long some = 0; some < 100; some += 20) {
            long first = some;
            fire(LongStream.range(first, first + 20)
                    .mapToObj(n -> proposal("s", version, n, new Skip("PAUSED", 1)))
                    .toArray(Proposal[]::new));
        }
        assertThat(schedule("s").skipped()).isEqualTo(100);
        assertThat(schedule("s").decisions())
                .extracting(StoredSchedule.Decided::instantMillis)
                .containsExactlyElementsOf(
                        LongStream.range(50, 100).mapToObj(n -> START + n).toList());
    }

    @Test
    void aPausedScheduleIsNotDueAndDoesNotFire() {
        long version = put("s", null, 0L);
        assertThat(schedules().pause("s", true).join()).isTrue();
        assertThat(schedules().due(9).join()).isEqualTo(new Schedules.Found(START, null, List.of()));
        assertThat(fire("s", version, 0)).isEqualTo(Decision.PAUSED);
        time(5);
        assertThat(schedules().pause("s", true).join()).isTrue();
        assertThat(schedule("s").sinceMillis()).isZero();
        assertThat(schedules().pause("s", false).join()).isTrue();
        StoredSchedule resumed = schedule("s");
        assertThat(resumed.paused()).isFalse();
        assertThat(resumed.sinceMillis()).isEqualTo(START + 5);
        assertThat(fire("s", version, 0)).as("made before the pause").isEqualTo(Decision.OTHER_VERSION);
        assertThat(schedules().due(9).join().schedules()).containsExactly(resumed);
        assertThat(schedules().pause("s", false).join()).isTrue();
        assertThat(schedule("s")).isEqualTo(resumed);
        assertThat(schedules().pause("none", true).join()).isFalse();
    }

    @Test
    void anEditOfAPausedScheduleLeavesItPaused() {
        long version = put("s", null, 0L);
        schedules().pause("s", true).join();
        put("s", version, 0L);
        assertThat(schedule("s").paused()).isTrue();
        assertThat(schedules().due(9).join().schedules()).isEmpty();
    }

    @Test
    void aRemovedScheduleIsGoneAndItsOccurrenceStays() {
        long version = put("s", null, 0L);
        fire("s", version, 0);
        assertThat(schedules().remove("s").join()).isTrue();
        assertThat(schedules().remove("s").join()).isFalse();
        assertThat(schedules().find(List.of("s")).join().schedules()).isEmpty();
        time(1000);
        assertThat(schedules().due(9).join()).isEqualTo(new Schedules.Found(START + 1000, null, List.of()));
        assertThat(fire("s", version, 1000)).isEqualTo(Decision.GONE);
        assertThat(find("s@0")).isPresent();
        put("s", null, 0L);
        assertThat(schedule("s").fired()).isZero();
        assertThat(schedule("s").decisions()).isEmpty();
    }

    private List<KeptSchedule> logged(Runnable step) {
        String before = ledger.missing(List.of()).join().last();
        step.run();
        return flow(before).stream()
                .filter(logged -> logged.kind() == Flow.Kind.SCHEDULE)
                .map(logged ->
                        logged.schedule() == null ? new KeptSchedule(logged.id(), "removed", null) : logged.schedule())
                .toList();
    }

    private List<Flow.Step> flow(@Nullable String after) {
        return ledger.flow(new Flow.Request(after, 100, 1000)).join().steps();
    }

    private KeptSchedule kept(String name) {
        return schedules().kept(List.of(name)).join().get(0);
    }

    private static KeptSchedule withoutDefinition(KeptSchedule kept) {
        return new KeptSchedule(kept.name(), kept.state(), null);
    }

    @Test
    void everyChangeOfAScheduleIsLoggedWithItsState() {
        flow(null);
        assertThat(logged(() -> put("s", null, 0L))).containsExactly(kept("s"));
        assertThat(kept("s").definition()).isEqualTo(DEFINITION);
        long version = schedule("s").version();
        assertThat(logged(() -> fire("s", version, 0))).containsExactly(withoutDefinition(kept("s")));
        time(1000);
        assertThat(logged(() -> fire(
                        proposal("s", version, 1000, new Skip("WINDOW", 1)),
                        proposal("s", version, 1000, new Skip("WINDOW", 1)))))
                .containsExactly(withoutDefinition(kept("s")));
        assertThat(logged(() -> schedules().pause("s", true).join())).containsExactly(withoutDefinition(kept("s")));
        assertThat(logged(() -> schedules().pause("s", true).join())).isEmpty();
        assertThat(logged(() -> fire("s", version, 2000))).isEmpty();
        assertThat(logged(() -> put("s", version + 9, 0L))).isEmpty();
        assertThat(logged(() -> schedules().remove("s").join()))
                .containsExactly(new KeptSchedule("s", "removed", null));
        assertThat(logged(() -> schedules().remove("s").join())).isEmpty();
    }

    @Test
    void anInstantThatWaitsIsLoggedOnlyWhenMoreInstantsHaveCome() {
        flow(null);
        long version = put("s", null, 0L);
        fire(version, 0, Overlap.BUFFER_ALL);
        time(1000);
        assertThat(logged(() -> fire(version, 1000, Overlap.BUFFER_ALL))).containsExactly(withoutDefinition(kept("s")));
        time(2000);
        assertThat(logged(() -> fire(version, 1000, Overlap.BUFFER_ALL))).isEmpty();
        assertThat(schedule("s").heldMillis()).isEqualTo(START + 1000);
        assertThat(schedules().due(9).join().nextMillis())
                .as("again after a second")
                .isEqualTo(1000);
        Occurrence later = occurrence("s@1000", Overlap.BUFFER_ALL, 2000);
        assertThat(logged(() -> fire(proposal("s", version, 1000, later))))
                .containsExactly(withoutDefinition(kept("s")));
        assertThat(schedule("s").heldMillis()).isEqualTo(START + 2000);
    }

    @Test
    void anOccurrenceAndItsScheduleAreInOneEntryOfTheLog() {
        flow(null);
        long version = put("s", null, 0L);
        String before = ledger.missing(List.of()).join().last();
        fire("s", version, 0);
        List<Flow.Step> steps = flow(before);
        assertThat(steps).extracting(Flow.Step::kind).containsExactly(Flow.Kind.SUBMIT, Flow.Kind.SCHEDULE);
        assertThat(steps)
                .extracting(Flow.Step::position)
                .containsOnly(steps.get(0).position());
    }

    @Test
    void allNamesAreListed() {
        List<String> names = LongStream.range(0, 1000).mapToObj(n -> "s" + n).toList();
        names.forEach(name -> put(name, null, 0L));
        put("never", null, null);
        Set<String> found = new HashSet<>();
        String next = null;
        do {
            Schedules.Names part = schedules().names(next).join();
            found.addAll(part.names());
            next = part.next();
        } while (next != null);
        assertThat(found).hasSize(1001).contains("never").containsAll(names);
    }

    private RestorePermit permit() {
        String term = Fence.newTerm();
        ledger.beginRestore(term).join();
        return RestorePermit.first(term);
    }

    private boolean restore(KeptSchedule known) {
        return schedules().restore(call(), permit(), List.of(known)).join().get(0);
    }

    private boolean compare(KeptSchedule known) {
        return schedules().restore(call(), null, List.of(known)).join().get(0);
    }

    @Test
    void aLostScheduleIsPutBackAsItWas() {
        flow(null);
        long version = put("s", null, 0L);
        fire("s", version, 0);
        schedules().pause("s", true).join();
        StoredSchedule before = schedule("s");
        KeptSchedule known = kept("s");
        schedules().remove("s").join();

        assertThat(compare(known)).isFalse();
        assertThat(logged(() -> assertThat(restore(known)).isTrue())).containsExactly(known);
        assertThat(schedule("s")).isEqualTo(before.withDecisions(List.of()));
        assertThat(restore(known)).isFalse();
        schedules().pause("s", false).join();
        time(1000);
        assertThat(fire("s", schedule("s").version(), 0)).isEqualTo(Decision.DECIDED);
        complete(claimOne());
        assertThat(schedules().due(9).join().schedules()).hasSize(1);
        assertThat(fire("s", schedule("s").version(), 1000)).isEqualTo(Decision.STORED);
    }

    @Test
    void onlyTheRestoreThatBeganLastPutsSchedulesBack() {
        put("s", null, 0L);
        KeptSchedule known = kept("s");
        schedules().remove("s").join();
        RestorePermit late = permit();
        RestorePermit last = permit();
        assertThat(schedules().restore(call(), late, List.of(known)).join()).isEmpty();
        Call call = call();
        assertThat(schedules().restore(call, last, List.of(known)).join()).containsExactly(true);
        assertThat(schedules().restore(call, last, List.of(known)).join())
                .as("a repeat")
                .containsExactly(true);
        assertThat(schedules().restore(call(), last, List.of(known)).join()).isEmpty();
        assertThat(schedules().restore(call(), last.next(), List.of(known)).join())
                .containsExactly(false);
    }

    @Test
    void aScheduleOfAnOlderStateGetsWhatTheJournalKnowsOfIt() {
        long version = put("s", null, 0L);
        KeptSchedule first = kept("s");
        fire("s", version, 0);
        KeptSchedule fired = kept("s");
        StoredSchedule later = schedule("s");
        schedules().remove("s").join();
        restore(first);

        assertThat(compare(fired)).isTrue();
        assertThat(schedule("s")).isEqualTo(later.withDecisions(List.of()));
        assertThat(compare(first)).as("what is older").isFalse();
        assertThat(compare(fired)).as("what is the same").isFalse();
        assertThat(schedule("s")).isEqualTo(later.withDecisions(List.of()));
    }

    @Test
    void aPausedStateIsLaterThanTheOneBeforeAndAResumedOneStillLater() {
        put("s", null, 0L);
        KeptSchedule first = kept("s");
        schedules().pause("s", true).join();
        KeptSchedule paused = kept("s");
        schedules().pause("s", false).join();
        KeptSchedule resumed = kept("s");
        schedules().remove("s").join();
        restore(first);
        assertThat(compare(paused)).isTrue();
        assertThat(schedule("s").paused()).isTrue();
        assertThat(compare(first)).isFalse();
        assertThat(compare(resumed)).isTrue();
        assertThat(schedule("s").paused()).isFalse();
        assertThat(compare(paused)).isFalse();
    }

    @Test
    void aScheduleThatWasPutAnewDecidesNoInstantThatWasDecidedBefore() {
        time(5);
        long version = put("s", null, 5L);
        fire("s", version, 5);
        KeptSchedule fired = kept("s");
        schedules().remove("s").join();
        time(6);
        long anew = put("s", null, 5L);
        assertThat(anew).isGreaterThan(version);
        assertThat(restore(fired)).isTrue();
        assertThat(schedule("s").version()).isEqualTo(anew);
        assertThat(schedule("s").fired()).isZero();
        assertThat(schedule("s").lastMillis()).isEqualTo(START + 5);
        assertThat(schedule("s").nextMillis()).isEqualTo(START + 1005);
        assertThat(fire("s", anew, 5)).isEqualTo(Decision.DECIDED);
    }

    @Test
    void aScheduleThatTheJournalKnowsToBeRemovedIsRemovedUnlessItWasPutAgain() {
        flow(null);
        put("s", null, 0L);
        KeptSchedule removed = withoutDefinition(kept("s"));
        assertThat(logged(() -> assertThat(compare(removed)).isTrue()))
                .containsExactly(new KeptSchedule("s", "removed", null));
        assertThat(restore(removed)).isFalse();
        time(1);
        put("s", null, 0L);
        assertThat(compare(removed)).isFalse();
        assertThat(schedules().find(List.of("s")).join().schedules()).hasSize(1);
    }

    @Test
    void noInstantFiresUntilTheJournalHasCompared() {
        long version = put("s", null, 0L);
        String first = ledger.flow(new Flow.Request(null, 100, 1000)).join().read();
        ledger.flow(new Flow.Request(first, 100, 1000, true)).join();
        time(Flow.COMPARED_MILLIS + 1);
        assertThat(fire("s", version, 0)).isEqualTo(Decision.EARLY);
        ledger.flow(new Flow.Request(first, 100, 1000, true)).join();
        assertThat(fire("s", version, 0)).isEqualTo(Decision.STORED);
        time(2 * Flow.COMPARED_MILLIS + 2);
        assertThat(fire("s", version, 1000)).isEqualTo(Decision.EARLY);
        time(2 * Flow.COMPARED_MILLIS + 2 + Flow.PATIENCE_MILLIS);
        assertThat(fire("s", version, 1000)).as("the first one has not run").isEqualTo(Decision.OVERLAP);
    }

    @Test
    void theHolderHearsOfTheNextInstant() {
        assertThat(feed("n").instantMillis()).isNull();
        put("s", null, 700L);
        assertThat(feed("n").instantMillis()).isEqualTo(700);
        assertThat(feed("m").instantMillis()).isNull();
        submit(job("a", 1000));
        time(800);
        assertThat(feed("n").instantMillis()).isZero();
        submit(job("b", 0), job("c", 0));
        Feed.Request strict =
                TestSettings.feed(new Feed.Presence("n", 5000, 1, 1, null), new Feed.Terms(60_000, 30_000, 2000, 1));
        assertThat(ledger.feed(strict).join().instantMillis())
                .as("in a busy queue")
                .isZero();
    }

    private Feed.Answer feed(String node) {
        return ledger.feed(TestSettings.feed(new Feed.Presence(node, 5000, 1, 1, null)))
                .join();
    }

    @Test
    void whereThereAreSchedulesANodeWithTheLatestTimeZoneDataBecomesTheHolder() {
        assertThat(feedWith("old", "2024b").holder()).isTrue();
        assertThat(feedWith("new", "2025a").laterZones()).isNull();
        assertThat(feedWith("old", "2024b").holder()).as("without schedules").isTrue();
        put("s", null, 700_000L);
        assertThat(feedWith("old", "2024b").holder()).isTrue();
        assertThat(feedWith("new", "2025a").holder()).isFalse();
        Feed.Answer old = feedWith("old", "2024b");
        assertThat(old.holder()).isFalse();
        assertThat(old.laterZones()).isEqualTo("2025a");
        assertThat(old.instantMillis()).isNull();
        Feed.Answer latest = feedWith("new", "2025a");
        assertThat(latest.holder()).isTrue();
        assertThat(latest.instantMillis()).isEqualTo(700_000);
        assertThat(feedWith("same", "2025a").laterZones()).isNull();
    }

    @Test
    void whenTheNodeWithTheLatestTimeZoneDataHasGoneAnotherOneHoldsAgain() {
        put("s", null, 700_000L);
        assertThat(feedWith("new", "2025a").holder()).isTrue();
        assertThat(feedWith("old", "2024b").laterZones()).isEqualTo("2025a");
        ledger.resign("new").join();
        time(Feed.Terms.ZONES_MILLIS + 1);
        Feed.Answer old = feedWith("old", "2024b");
        assertThat(old.holder()).isTrue();
        assertThat(old.laterZones()).isNull();
    }

    private Feed.Answer feedWith(String node, String zones) {
        return ledger.feed(TestSettings.feed(
                        new Feed.Presence(node, 5000, 1, 1, null),
                        new Feed.Terms(60_000, 30_000, 2000, 100, Limits.NONE, zones)))
                .join();
    }

    @Test
    void aNameHasOneQueue() {
        ScheduleNames names = underTest().backend().scheduleNames();
        String name = "s-" + shard().queue();
        assertThat(names.queueOf(name).join()).isEmpty();
        assertThat(names.put(name, "a", null).join()).isEqualTo("a");
        assertThat(names.put(name, "b", null).join()).isEqualTo("a");
        assertThat(names.put(name, "b", "c").join()).isEqualTo("a");
        assertThat(names.put(name, "b", "a").join()).isEqualTo("b");
        assertThat(names.all().join()).containsEntry(name, "b");
        assertThat(names.remove(name, "a").join()).isFalse();
        assertThat(names.queueOf(name).join()).contains("b");
        assertThat(names.remove(name, "b").join()).isTrue();
        assertThat(names.remove(name, "b").join()).isTrue();
        assertThat(names.queueOf(name).join()).isEmpty();
    }
}
