package io.delayjob.engine.internal.records;

import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.NewJob;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A digest that identifies a repeated submit. It covers the whole job except for the trace headers, which differ with every try,
 * and is kept in place of the job, whose param may be long.
 */
public final class SubmitDigest {

    /** The headers of W3C Trace Context, W3C Baggage and B3. */
    private static final Set<String> TRACE = Set.of(
            "traceparent",
            "tracestate",
            "baggage",
            "b3",
            "x-b3-traceid",
            "x-b3-spanid",
            "x-b3-parentspanid",
            "x-b3-sampled",
            "x-b3-flags");

    private static final RecordCodec RECORDS = new RecordCodec();

    private SubmitDigest() {}

    public static String of(NewJob job) {
        NewJob known = new NewJob(job.id(), job.due(), withoutTrace(job.content()));
        try {
            byte[] all = known.toString().getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(all));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static JobContent withoutTrace(JobContent content) {
        try {
            JobRecord record = RECORDS.read(content.storedAt(0).record());
            Map<String, String> headers = new TreeMap<>(record.headers());
            headers.keySet().removeIf(name -> TRACE.contains(name.toLowerCase(Locale.ROOT)));
            return content.withRecord(record.withHeaders(headers).toString());
        } catch (UnreadableRecordException e) {
            return content;
        }
    }
}
