package io.delayjob.reliability.harness;

/**
 * A time whose writes Redis lost, or was made to forget.
 *
 * @param fromMillis its beginning, by the machine's clock
 * @param toMillis its end
 */
public record LostWrites(long fromMillis, long toMillis) {

    /** Half a second on both sides: a write is asked for before Redis has it, and told of after. */
    private static final long ON_THE_WAY_MILLIS = 500;

    /** From then until now. */
    public static LostWrites since(long fromMillis) {
        return new LostWrites(fromMillis, System.currentTimeMillis());
    }

    boolean mayHold(long millis) {
        return mayHold(millis, millis);
    }

    /** Whether it may hold a part of what was written between these times. */
    boolean mayHold(long beginMillis, long endMillis) {
        return endMillis >= fromMillis - ON_THE_WAY_MILLIS && beginMillis <= toMillis + ON_THE_WAY_MILLIS;
    }
}
