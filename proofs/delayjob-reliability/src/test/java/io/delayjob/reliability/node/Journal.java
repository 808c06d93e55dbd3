package io.delayjob.reliability.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.springframework.util.StringUtils;

/**
 * Log of the events in a process: a file with a line for each. A line is there when the call that wrote it returns, and stays when
 * the process is killed. Its time is the machine's clock, however wrong the process' own is set: {@link SkewedClock} leaves
 * this package alone.
 */
public final class Journal {

    /** Kinds of events; the number of a line is 0 unless its kind says otherwise. */
    public enum Kind {
        /** The node is up, or stopped in order; the id is its name. */
        READY,
        STOPPED,
        /** A thread waits in a {@link Trap} for its process to be killed. */
        TRAPPED,
        /** The bean began; the number is the due time of the attempt, ms. */
        BEGUN,
        /** The bean submitted another job, and it was confirmed; the number is the time before which it must not run, ms. */
        SUBMITTED,
        /** A transaction with a job begins; the number is the time before which the job must not run, ms. */
        ORDERED,
        /** A thread has placed all its orders. */
        PLACED,
        /** The bean came to its end, or threw. */
        ENDED,
        FAILED,
        /** Events of the engine: what the ledger has confirmed. Of a claim, the number is its time by Redis' clock, ms. */
        CLAIMED,
        COMPLETED,
        RETRIED,
        BURIED,
        RELEASED,
        LOST
    }

    /**
     * A line.
     *
     * @param millis when, by the machine's clock
     * @param kind the kind of event
     * @param id the job
     * @param attempt the attempt, 0 if there is none
     * @param number the number that the kind describes
     */
    public record Line(long millis, Kind kind, String id, int attempt, long number) {

        private static Line parse(String text) {
            String[] words = text.split(" ", -1);
            return new Line(
                    Long.parseLong(words[0]),
                    Kind.valueOf(words[1]),
                    words[2],
                    Integer.parseInt(words[3]),
                    Long.parseLong(words[4]));
        }
    }

    private final FileChannel file;

    Journal(Path path) {
        try {
            this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ignores interrupts of the thread, which would close the file. */
    void write(Kind kind, String id, int attempt, long number) {
        boolean interrupted = Thread.interrupted();
        String line = "%d %s %s %d %d\n".formatted(System.currentTimeMillis(), kind, id, attempt, number);
        synchronized (file) {
            try {
                file.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The lines of a file so far, in the order in which they were written. */
    public static List<Line> read(Path path) {
        return text(path).lines().map(Line::parse).toList();
    }

    /** How many lines of a kind a file has so far. Parses none of them: tests ask again and again, and a file may have tens of thousands. */
    public static int count(Path path, Kind kind) {
        return StringUtils.countOccurrencesOf(text(path), " " + kind + " ");
    }

    private static String text(Path path) {
        if (!Files.exists(path)) {
            return "";
        }
        try {
            String text = Files.readString(path);
            return text.substring(0, text.lastIndexOf('\n') + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
