package io.delayjob.engine.internal.running;

import io.delayjob.JobOptions;
import io.delayjob.engine.internal.records.JobRecord;
import io.delayjob.engine.ledger.Claimed;
import io.delayjob.engine.settings.AttemptPolicy;
import java.time.Duration;
import java.time.Instant;

/** A claimed job that a worker elsewhere may have. It is either handed out or given back, once. */
public final class RemoteRun {

    private final Run run;
    private final JobRecord record;
    private final AttemptPolicy policy;
    private final RemoteRuns runs;

    RemoteRun(Run run, JobRecord record, AttemptPolicy policy, RemoteRuns runs) {
        this.run = run;
        this.record = record;
        this.policy = policy;
        this.runs = runs;
    }

    public Claimed.Job job() {
        return run.job();
    }

    public JobRecord record() {
        return record;
    }

    /**
     * How the job is tried.
     *
     * @param lease of the attempt; left out if none like it can be submitted, as that of a damaged job
     */
    public JobOptions options(Duration lease) {
        JobOptions options = record.optionsUnder(policy);
        try {
            return options.withLease(lease);
        } catch (IllegalArgumentException e) {
            return options;
        }
    }

    /** The job was handed out at this {@link System#nanoTime}: its attempt began then. */
    public void begin(long nanos) {
        runs.begin(run, nanos);
    }

    /** Nobody took the job: it is given back without spending the attempt. */
    public void giveBack(String why) {
        runs.giveBack(run, why);
    }

    /**
     * Nobody took the job: it is given back half a second from now, unless this claim is a repeat, or was repeated by then on any node: the
     * answer to the other one may have been delivered.
     *
     * @param leaseEnds when its lease ends, by the ledger's clock, as far as the answer to the claim says
     */
    public void giveBackUnlessRepeated(Instant leaseEnds, String why) {
        runs.giveBackUnlessRepeated(run, leaseEnds, why);
    }
}
