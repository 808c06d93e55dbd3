package io.delayjob.engine.ledger;

/**
 * A position in the flow log of a shard, written {@code ms-no}.
 *
 * @param ms the milliseconds
 * @param no the number within them
 */
public record FlowPosition(long ms, long no) implements Comparable<FlowPosition> {

    /** Before everything. */
    public static final FlowPosition START = new FlowPosition(0, 0);

    /** Reads one. */
    public static FlowPosition of(String text) {
        int dash = text.indexOf('-');
        if (dash < 1) {
            throw new IllegalArgumentException("a position in the flow log is ms-number: " + text);
        }
        return new FlowPosition(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    @Override
    public int compareTo(FlowPosition other) {
        return ms == other.ms ? Long.compare(no, other.no) : Long.compare(ms, other.ms);
    }

    @Override
    public String toString() {
        return ms + "-" + no;
    }
}
