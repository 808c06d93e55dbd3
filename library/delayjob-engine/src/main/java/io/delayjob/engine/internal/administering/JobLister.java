package io.delayjob.engine.internal.administering;

import io.delayjob.JobPage;
import io.delayjob.JobQuery;
import io.delayjob.JobSnapshot;
import io.delayjob.engine.internal.records.RecordCodec;
import io.delayjob.engine.internal.records.Snapshots;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes one page of a list: looks at one source after the other, which are the shards and then the journal, until the page is full, all
 * was seen, or it has looked enough.
 */
final class JobLister {

    /** How often one page looks into Redis: bounds its time where few of many jobs are wanted. */
    private static final int MOST_LOOKS = 10;

    private static final Pattern CURSOR = Pattern.compile("(\\d{1,4})(?::(-?\\d{1,18}):(.*))?", Pattern.DOTALL);

    /** Where jobs are looked for, one part after the other. */
    @FunctionalInterface
    interface Source {

        /** Examines some jobs, and answers those that match. */
        CompletableFuture<Listing.Answer> list(Listing.Request request);
    }

    private final JobQuery query;
    private final List<Source> sources;
    private final Snapshots snapshots;
    private final @Nullable String nameMark;
    private final List<JobSnapshot> found = new ArrayList<>();

    /**
     * Where a look begins.
     *
     * @param source in which source
     * @param after behind which job; null for the first
     */
    private record Place(int source, Listing.@Nullable Position after) {

        @Override
        public String toString() {
            return after == null ? "" + source : source + ":" + after.millis() + ":" + after.id();
        }
    }

    JobLister(JobQuery query, List<Source> sources, Snapshots snapshots) {
        this.query = query;
        this.sources = sources;
        this.snapshots = snapshots;
        this.nameMark = query.job() == null ? null : RecordCodec.nameMark(query.job());
    }

    CompletableFuture<JobPage> page() {
        return look(start(query.cursor()), MOST_LOOKS);
    }

    private Place start(@Nullable String cursor) {
        if (cursor == null) {
            return begin(0);
        }
        Matcher parts = CURSOR.matcher(cursor);
        if (!parts.matches() || Integer.parseInt(parts.group(1)) >= sources.size()) {
            throw new IllegalArgumentException("cursor is not the next of a page of this queue: '" + cursor + "'");
        }
        Listing.Position after =
                parts.group(2) == null ? null : new Listing.Position(Long.parseLong(parts.group(2)), parts.group(3));
        return new Place(Integer.parseInt(parts.group(1)), after);
    }

    /** The begin of a source, or of the wanted times in it. */
    private Place begin(int source) {
        Instant from = query.times().from();
        return new Place(source, from == null ? null : Listing.Position.atBeginOf(from.toEpochMilli()));
    }

    private CompletableFuture<JobPage> look(Place place, int looksLeft) {
        int wanted = Math.min(Ledger.MAX_BATCH, query.limit() - found.size());
        Listing.Request request = new Listing.Request(query.state(), nameMark, query.idPrefix(), place.after(), wanted);
        return sources.get(place.source()).list(request).thenCompose(answer -> {
            answer.jobs().stream()
                    .filter(entry -> query.times()
                            .includes(Instant.ofEpochMilli(entry.job().atMillis())))
                    .forEach(entry -> found.add(snapshots.of(query.queue(), entry.id(), entry.job())));
            Place next = next(place, answer.next());
            return next == null || found.size() >= query.limit() || looksLeft == 1
                    ? CompletableFuture.completedFuture(new JobPage(found, next == null ? null : next.toString()))
                    : look(next, looksLeft - 1);
        });
    }

    private @Nullable Place next(Place place, Listing.@Nullable Position position) {
        if (position != null && !isBehind(position)) {
            return new Place(place.source(), position);
        }
        return place.source() + 1 < sources.size() ? begin(place.source() + 1) : null;
    }

    /** Whether the wanted times end before a position. */
    private boolean isBehind(Listing.Position position) {
        Instant to = query.times().to();
        return to != null && position.millis() >= to.toEpochMilli();
    }
}
