package io.delayjob.reliability.bare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One fault: the sides that it is played on, and the row that tells of it. */
final class Comparison implements AutoCloseable {

    private final Path folder;
    private final List<Side> sides = new ArrayList<>();
    private List<String> queues = List.of(Side.QUEUE);
    private Duration work = Duration.ZERO;
    private @Nullable Row row;

    /**
     * A row of the table.
     *
     * @param done the fault that both met
     * @param bare the outcome of Redisson alone
     * @param delayjob the outcome of delayjob
     * @param cause why Redisson alone does that
     * @param redis the Redis of both
     */
    record Row(String done, String bare, String delayjob, String cause, String redis) {}

    Comparison(Path folder) {
        this.folder = folder;
    }

    /** Gives both sides these queues. */
    Comparison on(List<String> queues) {
        this.queues = queues;
        return this;
    }

    /** Makes jobs take so long on both sides. */
    Comparison working(Duration work) {
        this.work = work;
        return this;
    }

    /** Redisson alone, not started. */
    BareSide bare() {
        return kept(new BareSide(folder("bare"), work, queues));
    }

    /** delayjob. */
    DelayJobSide delayjob(String... properties) {
        return kept(new DelayJobSide(folder("delayjob"), work, queues, properties));
    }

    private Path folder(String side) {
        try {
            return Files.createDirectories(folder.resolve(side));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <T extends Side> T kept(T side) {
        sides.add(side);
        return side;
    }

    /** Tells what was seen. */
    void tell(String done, Outcome bare, Outcome delayjob, String cause) {
        tell(done, bare.words(), delayjob.wordsAndLateness(), cause);
    }

    /** Tells what was seen, where there is more to say than numbers. */
    void tell(String done, String bare, String delayjob, String cause) {
        row = new Row(done, bare, delayjob, cause, sides.get(0).version());
    }

    @Nullable Row row() {
        return row;
    }

    @Override
    public void close() {
        sides.forEach(Side::close);
    }
}
