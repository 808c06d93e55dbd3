package io.delayjob.client;

import io.delayjob.Dedupe;
import io.delayjob.DelayJobRequest;
import io.delayjob.DelayJobSchedules;
import io.delayjob.Schedule;
import io.delayjob.ScheduleBackfill;
import io.delayjob.ScheduleExplanation;
import io.delayjob.ScheduleSnapshot;
import io.delayjob.SubmitResult;
import io.delayjob.support.Checks;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Stores schedules on a delayjob server over HTTP, and acts on them. Thread-safe.
 *
 * <p>What {@link DelayJobSchedules} says holds, with these differences:
 *
 * <ul>
 *   <li>A schedule that names no queue gets {@link HttpDelayJobSettings#queue}; without one it is refused.
 *   <li>Params come back as maps, lists, texts, numbers and booleans.
 *   <li>Only the schedules of the token's queues are seen. To put one, the token needs the roles operate and submit.
 *   <li>A method throws a {@link io.delayjob.DelayJobException} if the server refuses the token, cannot read the schedule, or does not answer within
 *       {@link HttpDelayJobSettings#timeout}, although the request was repeated. A repeat triggers and makes up for nothing twice; of a
 *       removal whose answer was lost, it answers false.
 * </ul>
 */
public final class HttpDelayJobSchedules implements DelayJobSchedules {

    private static final byte[] NOTHING = {};

    private final HttpDelayJobSettings settings;
    private final JobWriter writer;

    /**
     * Schedules of a server. It asks nothing until the first call.
     *
     * @param settings where the server is
     */
    public HttpDelayJobSchedules(HttpDelayJobSettings settings) {
        this.settings = Checks.notNull(settings, "settings");
        this.writer = new JobWriter(settings);
    }

    @Override
    public ScheduleSnapshot put(Schedule schedule) {
        Dedupe dedupe = Checks.notNull(schedule, "schedule").options().dedupe();
        if (dedupe != null) {
            throw new IllegalArgumentException("schedule '" + schedule.name() + "' has the dedupe key '" + dedupe.key()
                    + "': leave it out, and choose with overlap what happens while the occurrence before is not over");
        }
        DelayJobRequest<?> request = new DelayJobRequest<>(
                null,
                schedule.topic(),
                schedule.param(),
                null,
                schedule.queue(),
                schedule.options(),
                null,
                schedule.headers());
        OutgoingJob job = writer.write(request, null, null);
        byte[] body = Json.bytes(ScheduleJson.Definition.of(schedule, job));
        return call("PUT", path(schedule.name()), body, ScheduleJson::snapshot);
    }

    @Override
    public Optional<ScheduleSnapshot> find(String name) {
        return ifThere("GET", path(name), NOTHING, ScheduleJson::snapshot);
    }

    @Override
    public List<ScheduleSnapshot> list() {
        return call(
                "GET",
                "/schedules",
                NOTHING,
                answer -> Json.read(answer, ScheduleJson.All.class).schedules().stream()
                        .map(ScheduleJson::snapshot)
                        .toList());
    }

    @Override
    public int count() {
        return list().size();
    }

    @Override
    public boolean remove(String name) {
        return ifThere("DELETE", path(name), NOTHING, answer -> true).orElse(false);
    }

    @Override
    public boolean pause(String name) {
        return ifThere("POST", path(name) + "/pause", NOTHING, answer -> true).orElse(false);
    }

    @Override
    public boolean resume(String name) {
        return ifThere("POST", path(name) + "/resume", NOTHING, answer -> true).orElse(false);
    }

    @Override
    public Optional<SubmitResult> trigger(String name) {
        Optional<String> queue = queueOf(name);
        return queue.flatMap(known -> ifThere("POST", path(name) + "/trigger", NOTHING, answer -> {
            Json.Submitted job = Json.read(answer, ScheduleJson.Triggered.class).job();
            return new SubmitResult(known, job.id(), job.outcome());
        }));
    }

    @Override
    public Optional<ScheduleBackfill> backfill(String name, Instant from, Instant to, int perSecond, boolean dryRun) {
        byte[] body = Json.bytes(
                new ScheduleJson.Backfill(Checks.notNull(from, "from"), Checks.notNull(to, "to"), perSecond, dryRun));
        return ifThere(
                "POST",
                path(name) + "/backfill",
                body,
                answer -> Json.LENIENT.readValue(answer, ScheduleBackfill.class));
    }

    @Override
    public ScheduleExplanation explain(String name) {
        return ifThere("GET", path(name) + "/explanation", NOTHING, answer -> {
                    ScheduleJson.Explained explained = Json.read(answer, ScheduleJson.Explained.class);
                    return new ScheduleExplanation(explained.reason(), explained.text(), null);
                })
                .orElseGet(() -> new ScheduleExplanation(
                        ScheduleExplanation.Reason.NO_SUCH_SCHEDULE,
                        "there is no schedule '" + name + "' in the queues of this token",
                        null));
    }

    private static String path(String name) {
        String encoded = URLEncoder.encode(Checks.scheduleName(name), StandardCharsets.UTF_8);
        return "/schedules/" + encoded.replace("+", "%20");
    }

    private <T> Optional<T> ifThere(String method, String path, byte[] body, Function<byte[], T> reader) {
        try {
            return Optional.of(call(method, path, body, reader));
        } catch (CallException e) {
            if (e.problem() != null && e.problem().isNoSuchSchedule()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private <T> T call(String method, String path, byte[] body, Function<byte[], T> reader) {
        // The server does what comes with one key once.
        Map<String, String> headers = method.equals("POST")
                ? Map.of("Idempotency-Key", UUID.randomUUID().toString())
                : Map.of();
        Duration timeout = settings.timeout();
        Call.Request<T> request =
                new Call.Request<>(method, path, headers, () -> body, reader, timeout, null, unwanted -> {});
        return CallException.await(new Call<>(settings, request, System.nanoTime()).begin());
    }
}
