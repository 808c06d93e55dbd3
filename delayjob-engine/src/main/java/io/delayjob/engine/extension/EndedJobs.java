package io.delayjob.engine.extension;

import io.delayjob.engine.ledger.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the jobs that have ended.
 *
 * @param jobs those that were looked for; their time is that of their end, and the due time of their attempt when they were due last, or died
 * @param examined how many were looked at
 * @param next the cursor to go on with; null if all were looked at
 */
public record EndedJobs(
        List<Listing.Entry> jobs, long examined, @Nullable String next) {}
