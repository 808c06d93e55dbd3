package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.JobServer;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** Workers that claim at a server over HTTP, beside those of a node. */
final class OverHttp {

    private static final int BATCH = 100;

    /** A server and its client have more code to compile than a node: at first they do not run a tenth of their later rate. */
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(90);

    private OverHttp() {}

    /** How many jobs do they run in a second? */
    static void bursts(Trial trial) {
        inTheProcess(trial, (its, place) -> burst(its, place, its.size().burst()));
        atAServer(trial, BATCH, (its, place) -> burst(its, place, its.size().burst()));
        atAServer(trial, 1, (its, place) -> burst(its, place, its.size().burstOneByOne()));
    }

    private static void burst(Trial trial, Place place, int jobs) {
        Burst burst = warm(trial, place).of(jobs);
        Notebook book = trial.notebook(place.name(), place.rig());
        burst.runs(book, trial.size().runs());
        trial.add(book);
    }

    private static Burst warm(Trial trial, Place place) {
        Burst burst = Burst.warm(trial, place.rig());
        if (place.overHttp()) {
            burst.warmUp(trial.size().warmUpOverHttp(), LONGEST_WARM_UP);
        }
        return burst;
    }

    /** How late do they begin a job for which they wait? */
    static void lateness(Trial trial) {
        inTheProcess(trial, OverHttp::steady);
        atAServer(trial, 1, OverHttp::steady);
    }

    private static void steady(Trial trial, Place place) {
        warm(trial, place);
        for (int rate : trial.size().ratesOverHttp()) {
            Notebook book = trial.notebook("%s perSecond=%d".formatted(place.name(), rate), place.rig());
            boolean inTime = Steady.measure(trial.size(), place.rig(), rate, book);
            trial.add(book);
            if (!inTime) {
                return;
            }
        }
    }

    /**
     * Where jobs are run.
     *
     * @param name on the page
     */
    private record Place(String name, boolean overHttp, Rig rig) {}

    private static void inTheProcess(Trial trial, BiConsumer<Trial, Place> measure) {
        try (Rig rig = trial.rig()) {
            measure.accept(trial, new Place("workers=process", false, rig));
        }
    }

    private static void atAServer(Trial trial, int batch, BiConsumer<Trial, Place> measure) {
        RedisStore redis = RedisStore.single();
        try (JobServer server = JobServer.start(redis, trial.log());
                Rig rig = trial.rig(redis, List.of(options(server, batch)))) {
            measure.accept(trial, new Place("workers=http batch=" + batch, true, rig));
        }
    }

    private static Map<String, String> options(JobServer server, int batch) {
        return Map.of("server", server.url().toString(), "token", JobServer.TOKEN, "batch", Integer.toString(batch));
    }
}
