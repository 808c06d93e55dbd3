package io.delayjob.benchmarks.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** bull-board, the console of BullMQ, over one queue that has failed jobs and jobs that wait. */
public final class BullBoard implements AutoCloseable {

    private static final Pattern READY = Pattern.compile("is ready at (http://localhost:\\d+)/");

    private final Process process;
    private final String url;

    private BullBoard(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts it, makes the jobs, and waits until it is ready. */
    public static BullBoard start(RunningStore redis, int failed, int waiting, Path log) {
        ProcessBuilder command = new ProcessBuilder(
                "node",
                Programs.BULLMQ.resolve("board.mjs").toString(),
                redis.store().url(),
                Integer.toString(failed),
                Integer.toString(waiting));
        try {
            Process process = command.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            String line = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)).readLine();
            Matcher ready = READY.matcher(line == null ? "" : line);
            if (!ready.find()) {
                process.destroyForcibly();
                throw new IllegalStateException("bull-board is not ready, see " + log + ": " + line);
            }
            return new BullBoard(process, ready.group(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its address. */
    public String url() {
        return url;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
