package io.delayjob.engine.memory;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.JobContent;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.Listing.Position;
import io.delayjob.engine.ledger.StoredJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bounded search of the jobs in one state. */
record Look(MemoryShard shard, Listing.Request request, long now) {

    Listing.Answer answer() {
        List<Listing.Entry> found = new ArrayList<>();
        Position last = null;
        int looked = 0;
        for (Position place : places()) {
            if (request.state() == JobState.READY && place.millis() > now) {
                break;
            }
            if (found.size() == request.limit() || looked == Ledger.MAX_BATCH) {
                return new Listing.Answer(found, last);
            }
            looked++;
            last = place;
            StoredJob job = wanted(place);
            if (job != null) {
                found.add(new Listing.Entry(place.id(), job));
            }
        }
        return new Listing.Answer(found, null);
    }

    private Collection<Position> places() {
        return switch (request.state()) {
            case DELAYED -> shard.waiting.behind(start(now + 1));
            case READY -> shard.waiting.behind(start(Long.MIN_VALUE));
            case RESERVED -> shard.reserved.behind(start(Long.MIN_VALUE));
            case DEAD -> shard.dead.behind(start(Long.MIN_VALUE));
            case COMPLETED, CANCELLED -> shard.finished.order.behind(start(Long.MIN_VALUE));
        };
    }

    private Position start(long score) {
        Position first = ScoredIds.beforeAll(score);
        Position after = request.after();
        return after == null || ScoredIds.ORDER.compare(after, first) < 0 ? first : after;
    }

    private @Nullable StoredJob wanted(Position place) {
        boolean finished = request.state() == JobState.COMPLETED || request.state() == JobState.CANCELLED;
        StoredJob job = finished ? shard.finished.get(place.id()) : shard.find(place.id(), now);
        return job != null && job.state() == request.state() && begins(place.id()) && marked(job.record()) ? job : null;
    }

    private boolean begins(String id) {
        return request.idPrefix() == null || id.startsWith(request.idPrefix());
    }

    private boolean marked(@Nullable String record) {
        String mark = request.nameMark();
        return mark == null
                || (record != null
                        && JobContent.of(record).asSubmitted().record().startsWith(mark));
    }
}
