package io.delayjob.reliability.harness;

import io.delayjob.JobSnapshot;
import io.delayjob.JobState;
import io.delayjob.reliability.node.Journal.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Account of every job of a run. Each submitted job is finished once, or dead with a reason, or still waiting; anything else is
 * a fault, described in words.
 *
 * @param submitted jobs that were confirmed to their submitter
 * @param refused jobs whose submitter was told that they are not stored
 * @param finished jobs that completed
 * @param dead jobs that were given up, with a reason
 * @param waiting jobs that are still to run
 * @param retries attempts after one that failed
 * @param givenBack attempts after one that was given back at a shutdown
 * @param duplicates attempts after one whose lease ended
 * @param repeatedByLoss attempts after one whose completion was among the writes that Redis lost, where it may
 * @param lostByRedis jobs that were among the writes that Redis lost, where it may
 * @param early attempts that began before their time
 * @param latestMillis how late a first attempt began at most
 * @param recoveryMillis how long after the kill of a node, and with another one up, the last of its jobs began again; 0
 *     if there was none
 * @param repeats each repeat that is not a retry and was not given back: the job, and why
 * @param faults all that must not be
 */
public record Account(
        int submitted,
        int refused,
        int finished,
        int dead,
        int waiting,
        int retries,
        int givenBack,
        int duplicates,
        int repeatedByLoss,
        int lostByRedis,
        int early,
        long latestMillis,
        long recoveryMillis,
        List<String> repeats,
        List<String> faults) {

    /** Draws it up of what was submitted, what happened on the nodes, and what the ledger says in the end. */
    static Account of(Evidence evidence) {
        return new Audit(evidence).account();
    }

    /** In one line. */
    @Override
    public String toString() {
        return ("submitted %d, refused %d, finished %d, dead %d, waiting %d, retries %d, given back %d, duplicates %d (lease"
                        + " ended), lost by Redis %d and repeated %d, early %d, latest %d ms, recovery %d ms, faults %s")
                .formatted(
                        submitted,
                        refused,
                        finished,
                        dead,
                        waiting,
                        retries,
                        givenBack,
                        duplicates,
                        lostByRedis,
                        repeatedByLoss,
                        early,
                        latestMillis,
                        recoveryMillis,
                        faults.isEmpty() ? "none" : String.join("; ", faults));
    }

    /**
     * Data from which an account is drawn up.
     *
     * @param submissions the submits
     * @param attempts the attempts that began, on all nodes
     * @param ledger the jobs that Redis holds in the end, by id
     * @param leaseMillis how long a lease is
     * @param kills when nodes were killed, by their name
     * @param ready when nodes were up, by their name
     * @param frozen the names of the nodes that were frozen at some time
     * @param stopped the names of the nodes that were told to stop: if the reply to a release is lost, such a node ends without having
     *     told of the job that it gave back
     * @param lost the time whose writes Redis lost; null if it may not lose any
     */
    record Evidence(
            List<Submission> submissions,
            List<Attempt> attempts,
            Map<String, JobSnapshot> ledger,
            long leaseMillis,
            Map<String, Long> kills,
            Map<String, Long> ready,
            Set<String> frozen,
            Set<String> stopped,
            @Nullable LostWrites lost) {

        /** Whether an attempt whose number is repeated may have been given back: its node says so, or has ended before it could. */
        boolean mayBeGivenBack(Attempt attempt) {
            return attempt.has(Kind.RELEASED) || stopped.contains(attempt.node()) && !attempt.has(Kind.ENDED);
        }

        /** Whether what was written at that time may be among what Redis lost. */
        boolean mayBeLost(long millis) {
            return lost != null && lost.mayHold(millis);
        }

        /**
         * Whether what Redis knew of that attempt may be among what it lost. Of one whose end nobody told it knew the lease, until that ended. When its job
         * was submitted does not matter: a submit that is under way while Redis is lost is fenced off afterwards, so that its job runs once.
         */
        boolean mayBeLost(Attempt attempt) {
            Long completed = attempt.at(Kind.COMPLETED);
            long untold = attempt.claimedMillis() + (attempt.has(Kind.FAILED) ? 0 : leaseMillis);
            long end = completed == null ? untold : completed;
            return lost != null && lost.mayHold(attempt.claimedMillis(), end);
        }
    }

    /**
     * The one who looks at each job in turn. The attempts at a job are looked at in the order of their claims: one whose node
     * was frozen between its last look at the lease and its beginning begins after those that were made in the meantime.
     */
    private static final class Audit {

        private final Evidence evidence;
        private final Map<String, List<Attempt>> attempts;
        private final List<String> repeats = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private int submitted;
        private int refused;
        private int finished;
        private int dead;
        private int waiting;
        private int retries;
        private int givenBack;
        private int duplicates;
        private int repeatedByLoss;
        private int lostByRedis;
        private int early;
        private long latestMillis;
        private long recoveryMillis;

        Audit(Evidence evidence) {
            this.evidence = evidence;
            this.attempts = evidence.attempts().stream()
                    .sorted(Comparator.comparingLong(Attempt::place).thenComparing(Attempt::begunMillis))
                    .collect(Collectors.groupingBy(Attempt::id));
        }

        Account account() {
            evidence.submissions().forEach(this::look);
            lookForStrangers();
            return new Account(
                    submitted,
                    refused,
                    finished,
                    dead,
                    waiting,
                    retries,
                    givenBack,
                    duplicates,
                    repeatedByLoss,
                    lostByRedis,
                    early,
                    latestMillis,
                    recoveryMillis,
                    List.copyOf(repeats),
                    List.copyOf(faults));
        }

        private void look(Submission job) {
            List<Attempt> ran = attempts.getOrDefault(job.id(), List.of());
            if (job.confirmed()) {
                submitted++;
                lookAtEnd(job, ran);
                lookAtTimes(job, ran);
                lookAtRepeats(ran);
                lookAtCompletions(job, ran);
            } else {
                refused++;
                if (!ran.isEmpty() || evidence.ledger().containsKey(job.id())) {
                    fault(job.id(), "was refused, and is there", ran);
                }
            }
        }

        private void lookAtEnd(Submission job, List<Attempt> ran) {
            JobSnapshot left = evidence.ledger().get(job.id());
            if (left == null) {
                lookAtFinished(job, ran);
            } else if (left.state() == JobState.DEAD) {
                dead++;
                if (left.lastError() == null || left.lastError().isBlank()) {
                    fault(job.id(), "is dead without a reason", ran);
                }
            } else {
                waiting++;
            }
        }

        private void lookAtFinished(Submission job, List<Attempt> ran) {
            if (ran.stream().anyMatch(attempt -> attempt.has(Kind.ENDED))) {
                finished++;
            } else if (evidence.mayBeLost(job.beforeMillis())) {
                lostByRedis++;
            } else {
                fault(job.id(), "is lost", ran);
            }
        }

        private void lookAtTimes(Submission job, List<Attempt> ran) {
            for (Attempt attempt : ran) {
                if (attempt.begunMillis() < Math.max(attempt.dueMillis(), job.notBeforeMillis())) {
                    early++;
                    fault(job.id(), "was early", ran);
                }
            }
            ran.stream()
                    .min(Comparator.comparingLong(Attempt::begunMillis))
                    .ifPresent(first -> latestMillis = Math.max(latestMillis, first.begunMillis() - first.dueMillis()));
        }

        private void lookAtRepeats(List<Attempt> ran) {
            for (int i = 1; i < ran.size(); i++) {
                lookAtRepeat(ran.get(i - 1), ran.get(i), ran);
            }
        }

        private void lookAtRepeat(Attempt before, Attempt after, List<Attempt> ran) {
            if (evidence.mayBeLost(before)) {
                repeatedByLoss++;
                repeats.add(after.id() + ": Redis lost what it knew of " + before);
            } else if (before.has(Kind.COMPLETED)) {
                fault(after.id(), "ran again though it had completed", ran);
            } else if (after.number() == before.number() && evidence.mayBeGivenBack(before)) {
                givenBack++;
            } else if (after.number() <= before.number()) {
                fault(after.id(), "repeats the number of an attempt", ran);
            } else if (before.has(Kind.FAILED)) {
                retries++;
            } else if (after.claimedMillis() - before.claimedMillis() >= evidence.leaseMillis()) {
                duplicates++;
                repeats.add(after.id() + ": the lease ended of " + before);
                lookAtRecovery(before, after);
                lookAtBeginning(before, after, ran);
            } else {
                fault(after.id(), "ran again within the lease", ran);
            }
        }

        private void lookAtRecovery(Attempt before, Attempt after) {
            Long killed = evidence.kills().get(before.node());
            if (killed != null) {
                long from = Math.max(killed, evidence.ready().getOrDefault(after.node(), 0L));
                recoveryMillis = Math.max(recoveryMillis, after.begunMillis() - from);
            }
        }

        private void lookAtBeginning(Attempt before, Attempt after, List<Attempt> ran) {
            boolean late = before.begunMillis() > after.claimedMillis();
            if (late && !evidence.frozen().contains(before.node())) {
                fault(before.id(), "began though its lease was over", ran);
            }
        }

        private void lookAtCompletions(Submission job, List<Attempt> ran) {
            long completions = ran.stream()
                    .filter(attempt -> attempt.has(Kind.COMPLETED) && !evidence.mayBeLost(attempt))
                    .count();
            if (completions > 1) {
                fault(job.id(), "completed " + completions + " times", ran);
            }
        }

        private void lookForStrangers() {
            evidence.submissions().forEach(job -> attempts.remove(job.id()));
            attempts.forEach((id, ran) -> fault(id, "was never submitted", ran));
        }

        private void fault(String id, String words, List<Attempt> ran) {
            faults.add(id + " " + words + " " + ran);
        }
    }
}
