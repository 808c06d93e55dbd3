package io.delayjob.reliability.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.reliability.node.Journal.Kind;
import io.delayjob.reliability.node.Journal.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** One job, due at 1000 and with a lease of 3000, whose first attempt did not end on its node. Times are in ms. */
class AccountTest {

    private static final List<Line> MADE_ELSEWHERE = List.of(
            line(4010, Kind.CLAIMED, 2, 4005),
            line(4011, Kind.BEGUN, 2, 1000),
            line(4050, Kind.ENDED, 2, 0),
            line(4060, Kind.COMPLETED, 2, 0));

    private static final List<Line> COMPLETED_BEFORE_THE_OTHER = List.of(
            line(1003, Kind.CLAIMED, 1, 1002),
            line(1004, Kind.BEGUN, 1, 1000),
            line(1290, Kind.ENDED, 1, 0),
            line(1300, Kind.COMPLETED, 1, 0));

    @Test
    void anAttemptWhoseNodeDiedIsMadeAgainWhenItsLeaseIsOver() {
        Account account = account(
                List.of(line(1003, Kind.CLAIMED, 1, 1002), line(1004, Kind.BEGUN, 1, 1000)), MADE_ELSEWHERE, Set.of());
        assertThat(account.faults()).isEmpty();
        assertThat(account.duplicates()).isEqualTo(1);
        assertThat(account.latestMillis()).isEqualTo(4);
    }

    @Test
    void anAttemptWhoseNodeWasFrozenRightBeforeItsBeginningIsADuplicate() {
        Account account = account(begunLate(Kind.LOST), MADE_ELSEWHERE, Set.of("one"));
        assertThat(account.faults()).isEmpty();
        assertThat(account.duplicates()).isEqualTo(1);
        assertThat(account.finished()).isEqualTo(1);
        assertThat(account.latestMillis()).isEqualTo(3011);
    }

    @Test
    void anAttemptThatBeginsWithoutItsLeaseOnANodeThatWasNotFrozenIsAFault() {
        Account account = account(begunLate(Kind.LOST), MADE_ELSEWHERE, Set.of());
        assertThat(account.faults()).singleElement().asString().startsWith("a began though its lease was over");
    }

    @Test
    void anAttemptThatIsConfirmedAfterItsLeaseIsAFaultHoweverFrozenItsNodeWas() {
        Account account = account(begunLate(Kind.COMPLETED), MADE_ELSEWHERE, Set.of("one"));
        assertRanTwice(account);
    }

    @Test
    void anAttemptThatIsMadeAgainWithinItsLeaseIsAFault() {
        Account account = account(
                List.of(line(2003, Kind.CLAIMED, 1, 2002), line(2004, Kind.BEGUN, 1, 1000)), MADE_ELSEWHERE, Set.of());
        assertThat(account.faults()).singleElement().asString().startsWith("a ran again within the lease");
    }

    @Test
    void anAttemptWhoseNodeWasKilledBeforeItsClaimWasWrittenDownMayHaveBeenClaimedTwoSecondsBefore() {
        Account account = account(List.of(line(3000, Kind.BEGUN, 1, 1000)), MADE_ELSEWHERE, Set.of());
        assertThat(account.faults()).isEmpty();
        assertThat(account.duplicates()).isEqualTo(1);
    }

    @Test
    void anAttemptThatIsMadeAgainRightAfterOneWithoutAClaimIsAFault() {
        Account account = account(List.of(line(3010, Kind.BEGUN, 1, 1000)), MADE_ELSEWHERE, Set.of());
        assertThat(account.faults()).singleElement().asString().startsWith("a ran again within the lease");
    }

    @Test
    void anAttemptWhoseNumberIsRepeatedWasGivenBackIfItsNodeWasToldToStop() {
        List<Line> begun = List.of(line(1003, Kind.CLAIMED, 1, 1002), line(1004, Kind.BEGUN, 1, 1000));
        List<Line> again = List.of(
                line(1503, Kind.CLAIMED, 1, 1502),
                line(1504, Kind.BEGUN, 1, 1000),
                line(1550, Kind.ENDED, 1, 0),
                line(1560, Kind.COMPLETED, 1, 0));
        Account account = account(begun, again, Set.of(), Set.of("one"), null);
        assertThat(account.faults()).isEmpty();
        assertThat(account.givenBack()).isEqualTo(1);
        assertThat(account(begun, again, Set.of()).faults())
                .singleElement()
                .asString()
                .startsWith("a repeats the number of an attempt");
    }

    @Test
    void anAttemptWhoseCompletionRedisLostIsMadeAgain() {
        Account account = account(COMPLETED_BEFORE_THE_OTHER, MADE_ELSEWHERE, new LostWrites(1700, 2700));
        assertThat(account.faults()).isEmpty();
        assertThat(account.repeatedByLoss()).isEqualTo(1);
    }

    @Test
    void anAttemptWhoseLeaseRedisLostIsMadeAgainBeforeThatWouldHaveEnded() {
        List<Line> begun = List.of(line(2003, Kind.CLAIMED, 1, 2002), line(2004, Kind.BEGUN, 1, 1000));
        Account account = account(begun, MADE_ELSEWHERE, new LostWrites(3500, 3600));
        assertThat(account.faults()).isEmpty();
        assertThat(account.repeatedByLoss()).isEqualTo(1);
    }

    @Test
    void anAttemptThatIsMadeAgainThoughRedisLostOnlyWhatCameLaterIsAFault() {
        assertRanTwice(account(COMPLETED_BEFORE_THE_OTHER, MADE_ELSEWHERE, new LostWrites(1900, 2700)));
    }

    @Test
    void anAttemptThatIsMadeAgainBecauseItsSubmitCameWhileRedisWasLostIsAFault() {
        assertRanTwice(account(COMPLETED_BEFORE_THE_OTHER, MADE_ELSEWHERE, new LostWrites(400, 500)));
    }

    private static void assertRanTwice(Account account) {
        assertThat(account.faults())
                .hasSize(2)
                .anyMatch(fault -> fault.startsWith("a ran again though it had completed"))
                .anyMatch(fault -> fault.startsWith("a completed 2 times"));
    }

    private static List<Line> begunLate(Kind end) {
        return List.of(
                line(1003, Kind.CLAIMED, 1, 1002),
                line(6000, Kind.BEGUN, 1, 1000),
                line(6020, Kind.ENDED, 1, 0),
                line(6030, end, 1, 0));
    }

    private static Line line(long millis, Kind kind, int attempt, long number) {
        return new Line(millis, kind, "a", attempt, number);
    }

    private static Account account(List<Line> one, List<Line> other, Set<String> frozen) {
        return account(one, other, frozen, Set.of(), null);
    }

    private static Account account(List<Line> one, List<Line> other, LostWrites lost) {
        return account(one, other, Set.of(), Set.of(), lost);
    }

    private static Account account(
            List<Line> one, List<Line> other, Set<String> frozen, Set<String> stopped, @Nullable LostWrites lost) {
        List<Attempt> attempts = new ArrayList<>(Attempt.of("one", one));
        attempts.addAll(Attempt.of("other", other));
        return Account.of(new Account.Evidence(
                List.of(new Submission("a", 900, 1000, true)),
                attempts,
                Map.of(),
                3000,
                Map.of(),
                Map.of(),
                frozen,
                stopped,
                lost));
    }
}
