package io.delayjob.reliability.harness;

import io.delayjob.testing.OwnRedis;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Simulates a loss of power for a Redis with {@code appendfsync everysec}: the last second of its append-only file is not on the
 * disk. Killing the process alone loses nothing, because the kernel has what it wrote; so the file is cut back to the length that
 * it had a second before the kill.
 */
public final class Fsync implements AutoCloseable {

    /** Time whose writes a crash may lose, according to the documentation of {@code everysec}. */
    public static final Duration LOSS = Duration.ofSeconds(1);

    /** The longest time for which Redis holds a write back while a flush of earlier ones is under way: such a write is answered, and not in the file. */
    private static final Duration HELD_BACK = Duration.ofSeconds(2);

    private final OwnRedis redis;
    private final TreeMap<Long, Long> lengths = new TreeMap<>();
    private final ScheduledThreadPoolExecutor looks = new ScheduledThreadPoolExecutor(1);

    /** Watches the append-only file from now on. */
    public Fsync(OwnRedis redis) {
        this.redis = redis;
        var unused = looks.scheduleAtFixedRate(this::look, 0, 10, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
        lengths.put(System.nanoTime(), length());
    }

    private long length() {
        try {
            return Files.size(file());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Redis 7 keeps a folder of them, of which the one that grows is the last. */
    private Path file() throws IOException {
        try (Stream<Path> files = Files.walk(redis.folder())) {
            return files.filter(file -> file.toString().endsWith(".aof"))
                    .sorted()
                    .toList()
                    .get(0);
        }
    }

    /** Kills Redis and cuts its file back; answers the time, by the machine's clock, that is lost. */
    public synchronized LostWrites losePower() throws IOException {
        long then = System.nanoTime() - LOSS.toNanos();
        long from = System.currentTimeMillis() - LOSS.plus(HELD_BACK).toMillis();
        redis.kill();
        Map.Entry<Long, Long> synced = lengths.ceilingEntry(then);
        if (synced == null) {
            // This process stood still for all of that time, so more is cut off.
            synced = lengths.lastEntry();
            from -= TimeUnit.NANOSECONDS.toMillis(then - synced.getKey()) + 1;
        }
        LostWrites lost = LostWrites.since(from);
        try (RandomAccessFile file = new RandomAccessFile(file().toFile(), "rw")) {
            file.setLength(synced.getValue());
        }
        return lost;
    }

    @Override
    public void close() {
        looks.shutdownNow();
    }
}
