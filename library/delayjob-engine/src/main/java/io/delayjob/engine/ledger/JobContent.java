package io.delayjob.engine.ledger;

import io.delayjob.Dedupe;
import io.delayjob.JobOptions;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a job that never changes.
 *
 * @param record its record as JSON. The ledger writes the first fields when it stores the job, see {@link #storedAt}; before that, the record is
 *     the rest, up to and including the closing brace
 * @param leaseMillis its own lease in milliseconds; null for the queue's
 * @param priority its priority, 0 to 9
 * @param dedupe its dedupe key; null for none
 */
public record JobContent(
        String record,
        @Nullable Long leaseMillis,
        int priority,
        @Nullable Dedupe dedupe) {

    /** The fields that a ledger of this release writes. */
    private static final Pattern HEAD = Pattern.compile("\\{\"v\":1,\"at\":\\d+,");

    /** The time of the submit, in a record of any release. */
    private static final Pattern AT = Pattern.compile("\\{\"v\":\\d{1,9},\"at\":(\\d{1,18})[,}]");

    /** The first of these fields, which come in this order. Quotation marks within texts are escaped, so no text has one. */
    private static final Pattern PRIORITY = Pattern.compile(",\"(?:priority\":(\\d)|headers\":|param\":)");

    private static final String KEY_FIELD = ",\"key\":\"";

    /** A key that the record states, in front of its dedupe key. */
    private static final Pattern KEY =
            Pattern.compile(",\"(?:key\":\"((?:[^\"\\\\]|\\\\.)*)\"|dedupe\":|tags\":|headers\":|param\":)");

    /** The last field. No param ends like this: a text in it has its quotation marks escaped, and an object ends with a brace of its own. */
    private static final Pattern INDEX = Pattern.compile(",\"index\":\"((?:[\\w-]{11})+)\"}$");

    private static final int LONGEST_INDEX = 220;

    /** The content of a job of the usual priority. */
    public JobContent(String record, @Nullable Long leaseMillis, @Nullable Dedupe dedupe) {
        this(record, leaseMillis, JobOptions.USUAL_PRIORITY, dedupe);
    }

    /** A record with those options of the job that the ledger acts on. */
    public static JobContent of(String record, JobOptions options) {
        return new JobContent(
                record,
                options.lease() == null ? null : options.lease().toMillis(),
                options.priority() == null ? JobOptions.USUAL_PRIORITY : options.priority(),
                options.dedupe());
    }

    /** A record without a lease of its own and a dedupe key, of the usual priority. */
    public static JobContent of(String record) {
        return new JobContent(record, null, null);
    }

    /** The same with another record. */
    public JobContent withRecord(String other) {
        return new JobContent(other, leaseMillis, priority, dedupe);
    }

    /** The same with another priority. */
    public JobContent withPriority(int other) {
        return new JobContent(record, leaseMillis, other, dedupe);
    }

    /** The content as a ledger stores it at a time, in milliseconds since 1970; the same if it is stored already. */
    public JobContent storedAt(long millis) {
        return record.startsWith("\"") ? withRecord("{\"v\":1,\"at\":" + millis + "," + record) : this;
    }

    /** The content before it was stored; the same if the first fields are not those that this release writes. */
    public JobContent asSubmitted() {
        Matcher head = HEAD.matcher(record);
        return head.lookingAt() ? withRecord(record.substring(head.end())) : this;
    }

    /** The same with the priority that the record states. */
    public JobContent withStatedPriority() {
        Matcher stated = PRIORITY.matcher(record);
        return stated.find() && stated.group(1) != null ? withPriority(Integer.parseInt(stated.group(1))) : this;
    }

    /** Its key, as the record states it; null for none. */
    public @Nullable String key() {
        // Most records have no such field, and a plain search takes a small part of the time of a pattern.
        Matcher stated = record.contains(KEY_FIELD) ? KEY.matcher(record) : null;
        String quoted = stated != null && stated.find() ? stated.group(1) : null;
        return quoted == null ? null : quoted.replaceAll("\\\\(.)", "$1");
    }

    /** Its marks in the index of its queue, 11 characters each, as the record states them. */
    public List<String> marks() {
        if (!record.endsWith("\"}")) {
            return List.of();
        }
        Matcher stated = INDEX.matcher(record.substring(Math.max(0, record.length() - LONGEST_INDEX)));
        return stated.find() ? List.of(stated.group(1).split("(?<=\\G.{11})")) : List.of();
    }

    /** When it was stored, in milliseconds since 1970; {@code otherwise} if the record does not tell. */
    public long submittedAt(long otherwise) {
        Matcher at = AT.matcher(record);
        return at.lookingAt() ? Long.parseLong(at.group(1)) : otherwise;
    }
}
