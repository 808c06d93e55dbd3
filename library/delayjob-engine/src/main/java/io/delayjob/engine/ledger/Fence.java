package io.delayjob.engine.ledger;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Keeps late submits of journaled jobs out of a shard. Such a job is brought to the ledger by the node that wrote it, or by a relay;
 * each of them shows a permit, and the ledger stores nothing for a permit that is no longer valid.
 *
 * @param term the permit of nodes. A new one is drawn when a relay takes jobs over from nodes, so that their submits still on the way are late
 * @param relays how many calls of relays have stored jobs in this term. Each relay shows the term and the number that it has seen, so
 *     that of two relays only one stores
 */
public record Fence(String term, long relays) {

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Before any log was kept: no permit is valid. */
    public static final Fence NONE = new Fence("", 0);

    /** Reads a fence as a ledger writes it: {@code term:relays}. */
    public static Fence of(String text) {
        int colon = text.indexOf(':');
        return colon < 0 ? NONE : new Fence(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
    }

    /** A term that was never used before. */
    public static String newTerm() {
        byte[] bits = new byte[10];
        RANDOM.nextBytes(bits);
        return HexFormat.of().formatHex(bits);
    }

    /** The fence after one more call of a relay. */
    public Fence afterRelay() {
        return new Fence(term, relays + 1);
    }

    /** The permit of a relay. */
    public String ofRelay() {
        return term + ":" + relays;
    }
}
