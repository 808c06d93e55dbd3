package io.delayjob.journal.internal.tables;

/**
 * A position in the flow log of a shard, as Redis writes it: {@code ms-no}.
 *
 * @param ms the milliseconds
 * @param no the number within them
 */
public record Position(long ms, long no) implements Comparable<Position> {

    /** Before everything. */
    public static final Position START = new Position(0, 0);

    /** Reads one. */
    public static Position of(String text) {
        int dash = text.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("a position in the flow log is ms-number: " + text);
        }
        return new Position(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    @Override
    public int compareTo(Position other) {
        return ms == other.ms ? Long.compare(no, other.no) : Long.compare(ms, other.ms);
    }

    @Override
    public String toString() {
        return ms + "-" + no;
    }
}
