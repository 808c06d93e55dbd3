package io.delayjob.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.Dedupe;
import io.delayjob.JobState;
import io.delayjob.SubmitResult.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Ledger contract: the index, which finds unfinished jobs by the marks that their records state. */
public abstract class IndexContract extends PriorityContract {

    static final String RED = "red-------a";
    static final String BLUE = "blue------_";
    static final String GREEN = "green-----9";

    /** A record that states these marks. */
    static JobContent marked(String... marks) {
        return JobContent.of("\"job\":\"j\",\"param\":\"{\",\"index\":\"" + String.join("", marks) + "\"}");
    }

    private static NewJob marked(String id, long delay, String... marks) {
        return new NewJob(id, new NewJob.Due(delay, true), marked(marks));
    }

    private static NewJob keyed(String id, Dedupe dedupe, String... marks) {
        return new NewJob(
                id, new NewJob.Due(5, true), new JobContent(marked(marks).record(), null, dedupe));
    }

    private Listing.Indexed indexed(String mark, int limit) {
        return ledger.indexed(mark, limit).join();
    }

    /** The ids of all jobs with a mark. */
    List<String> indexed(String mark) {
        Listing.Indexed found = indexed(mark, Ledger.MAX_BATCH);
        assertThat(found.more()).isFalse();
        return found.jobs().stream().map(Listing.Entry::id).toList();
    }

    private void assertNothingIndexed() {
        assertThat(Stream.of(RED, BLUE, GREEN).flatMap(mark -> indexed(mark).stream()))
                .isEmpty();
    }

    @Test
    void aJobIsFoundByEachOfItsMarksAndNoOther() {
        submit(marked("a", 5, RED, BLUE), marked("ab", 5, RED), job("without", 5), marked("ä", 5, BLUE));
        assertThat(indexed(RED)).containsExactlyInAnyOrder("a", "ab");
        assertThat(indexed(BLUE)).containsExactlyInAnyOrder("a", "ä");
        assertThat(indexed(GREEN)).isEmpty();
    }

    @Test
    void aJobIsFoundInEachStateUntilItEnds() {
        ledger = open(keeping(1000, 10));
        submit(marked("a", 5, RED));
        assertFound(JobState.DELAYED);
        time(5);
        assertFound(JobState.READY);
        Lease first = claimOne();
        assertFound(JobState.RESERVED);
        retry(first, 10);
        assertFound(JobState.DELAYED);
        time(15);
        bury(claimOne());
        assertFound(JobState.DEAD);
        redrive("a");
        assertFound(JobState.READY);
        complete(claimOne());
        assertThat(found("a").state()).isEqualTo(JobState.COMPLETED);
        assertThat(indexed(RED)).isEmpty();
    }

    private void assertFound(JobState state) {
        assertThat(indexed(RED, 9).jobs()).containsExactly(new Listing.Entry("a", found("a")));
        assertThat(found("a").state()).isEqualTo(state);
    }

    @Test
    void howeverAJobLeavesTheIndexHasItNoMore() {
        submit(marked("completed", -9, RED), marked("cancelled while it runs", -8, RED), marked("purged", -7, RED));
        submit(marked("died first", -6, BLUE, RED), marked("died last", -5, BLUE), marked("waits", 5, GREEN));
        submit(marked("is evicted", 9, GREEN));
        complete(claimOne());
        claimOne();
        cancel("cancelled while it runs");
        bury(claimOne());
        ledger.purge(call(), List.of("purged")).join();
        bury(claimOne());
        bury(claimOne());
        assertThat(indexed(RED)).containsExactly("died first");
        ledger.purgeDead(call(), 0, 1).join();
        assertThat(indexed(RED)).isEmpty();
        assertThat(indexed(BLUE)).containsExactly("died last");
        cancel("waits");
        assertThat(indexed(GREEN)).containsExactly("is evicted");
        ledger.evict(call(), 9).join();
        assertNothingIndexed();
    }

    @Test
    void aJobThatIsReplacedIsFoundByTheMarksOfTheNewOneAlone() {
        Dedupe key = Dedupe.untilFinished("k");
        submit(keyed("a", key, RED, BLUE));
        assertThat(submit(keyed("b", key, GREEN)).get(0).outcome()).isEqualTo(Outcome.KEPT);
        assertThat(indexed(GREEN)).isEmpty();
        assertThat(submit(keyed("b", key.replacing(), BLUE)).get(0).outcome()).isEqualTo(Outcome.REPLACED);
        assertThat(indexed(RED)).isEmpty();
        assertThat(indexed(BLUE)).containsExactly("b");
        assertThat(submit(keyed("b", key.replacing(), GREEN)).get(0).outcome()).isEqualTo(Outcome.REPLACED);
        assertThat(indexed(BLUE)).isEmpty();
        assertThat(indexed(GREEN)).containsExactly("b");
    }

    @Test
    void aJobThatIsPostponedIsFoundByItsNewMarksAlone() {
        Dedupe key = Dedupe.untilFinished("k").postponing();
        submit(keyed("a", key, RED, BLUE));
        assertThat(submit(keyed("b", key, BLUE, GREEN)).get(0)).isEqualTo(result("a", Outcome.POSTPONED));
        assertThat(indexed(RED)).isEmpty();
        assertThat(indexed(BLUE)).containsExactly("a");
        assertThat(indexed(GREEN)).containsExactly("a");
        assertThat(submit(keyed("b", key)).get(0)).isEqualTo(result("a", Outcome.POSTPONED));
        assertNothingIndexed();
    }

    @Test
    void severalOfOneCallMayReplaceEachOther() {
        Dedupe key = Dedupe.untilFinished("k").replacing();
        submit(keyed("a", key, RED), keyed("b", key, RED, BLUE), marked("c", 5, RED), keyed("a", key, GREEN));
        assertThat(indexed(RED)).containsExactly("c");
        assertThat(indexed(BLUE)).isEmpty();
        assertThat(indexed(GREEN)).containsExactly("a");
    }

    @Test
    void aSubmitOfAnIdThatExistsChangesNoMarks() {
        submit(marked("a", 5, RED));
        submit(marked("a", 5, BLUE), job("a", 5));
        assertThat(indexed(RED)).containsExactly("a");
        assertThat(indexed(BLUE)).isEmpty();
    }

    @Test
    void anAnswerHasAtMostAsManyJobsAsAreAskedForAndSaysThatThereAreMore() {
        submit(marked("a", 5, RED), marked("b", 5, RED), marked("c", 5, RED));
        assertThat(indexed(RED, 2).jobs()).hasSize(2);
        assertThat(indexed(RED, 2).more()).isTrue();
        assertThat(indexed(RED, 3).jobs()).hasSize(3);
        assertThat(indexed(RED, 3).more()).isFalse();
    }

    @Test
    void aFullBatchOfJobsMayHaveAsManyMarksAsAJobMayHave() {
        String[] marks = IntStream.range(0, 17).mapToObj("mark-%06d"::formatted).toArray(String[]::new);
        List<NewJob> jobs = IntStream.range(0, Ledger.MAX_BATCH)
                .mapToObj(n -> marked("job-" + n, 0, marks))
                .toList();
        ledger.submit(call(), jobs).join();
        assertThat(indexed(marks[16])).hasSize(Ledger.MAX_BATCH);
        List<Settlement> completed = new ArrayList<>();
        claim(Ledger.MAX_BATCH).jobs().forEach(job -> completed.add(new Settlement.Complete(job.lease(), null, 0)));
        ledger.settle(call(), completed).join();
        assertThat(indexed(marks[0])).isEmpty();
        assertThat(indexed(marks[16])).isEmpty();
    }

    @Test
    void aRestoredJobIsFoundByItsMarks() {
        ledger.beginRestore("c0ffee").join();
        ledger.restore(
                        call(),
                        RestorePermit.first("c0ffee"),
                        List.of(restored("dead", JobState.DEAD, RED), restored("waits", JobState.DELAYED, RED, BLUE)))
                .join();
        assertThat(indexed(RED)).containsExactlyInAnyOrder("dead", "waits");
        ledger.purge(call(), List.of("dead")).join();
        cancel("waits");
        assertNothingIndexed();
    }

    private static RestoredJob restored(String id, JobState state, String... marks) {
        @Nullable String error = state == JobState.DEAD ? "e" : null;
        return new RestoredJob(id, marked(marks).storedAt(START), state, START + 5, 1, error);
    }
}
