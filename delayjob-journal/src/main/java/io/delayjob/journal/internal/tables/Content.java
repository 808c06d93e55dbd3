package io.delayjob.journal.internal.tables;

import io.delayjob.Dedupe;
import io.delayjob.engine.ledger.Flow;
import io.delayjob.engine.ledger.NewJob;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a job that never changes.
 *
 * @param body its record without the fields that the ledger writes; whole if they are not those that this release writes
 * @param leaseMillis its own lease in milliseconds; null for the queue's
 * @param dedupe its dedupe key; null for none
 */
public record Content(
        String body, @Nullable Long leaseMillis, @Nullable Dedupe dedupe) {

    /** The start of a record, which a ledger writes before the body: the format that this release knows, and the time of the submit. */
    private static final Pattern HEAD = Pattern.compile("\\{\"v\":1,\"at\":\\d+,");

    /** The content of a new job. */
    public static Content of(NewJob job) {
        return new Content(job.body(), job.leaseMillis(), job.dedupe());
    }

    /** The content of a job that a ledger has stored. */
    public static Content of(Flow.Stored stored) {
        return new Content(body(stored.record()), stored.leaseMillis(), stored.dedupe());
    }

    /** The content of a job of which only the record is known. */
    public static Content of(String record) {
        return new Content(body(record), null, null);
    }

    private static String body(String record) {
        Matcher head = HEAD.matcher(record);
        return head.lookingAt() ? record.substring(head.end()) : record;
    }

    /** The whole record, as a ledger stored it at a time. */
    public String record(long atMillis) {
        return body.startsWith("\"") ? "{\"v\":1,\"at\":" + atMillis + "," + body : body;
    }
}
