package io.delayjob.benchmarks.contender;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Hands a series of jobs over as fast as it can, from several threads. */
final class Submission {

    /** One step: hands over the jobs from a position on. */
    private interface Step {
        void from(int position) throws Exception;
    }

    private final JobSeries series;
    private final LongAdder errors = new LongAdder();
    private final AtomicReference<@Nullable Exception> firstError = new AtomicReference<>();

    private Submission(JobSeries series) {
        this.series = series;
    }

    /** Each thread hands over one job after the other, each when the one before is confirmed. */
    static Submission single(Contender contender, JobSeries series, int threads) throws InterruptedException {
        Submission submission = new Submission(series);
        submission.run(threads, 1, position -> contender.submit(series.job(position)));
        return submission;
    }

    /** Each thread hands over one batch after the other. */
    static Submission bulk(Contender contender, JobSeries series, int threads, int batch) throws InterruptedException {
        Submission submission = new Submission(series);
        submission.run(threads, batch, position -> contender.submitAll(series.jobs(position, batch)));
        return submission;
    }

    private void run(int threads, int stride, Step step) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Crew.work(threads, "submitter", () -> {
            for (int position = next.getAndAdd(stride); position < series.count(); position = next.getAndAdd(stride)) {
                attempt(step, position);
            }
        });
    }

    private void attempt(Step step, int position) {
        try {
            step.from(position);
        } catch (Exception e) {
            errors.increment();
            firstError.compareAndSet(null, e);
        }
    }

    long errors() {
        return errors.sum();
    }

    /** What the first failed step threw; empty if none failed. */
    String firstError() {
        Exception error = firstError.get();
        return error == null ? "" : error.toString();
    }
}
