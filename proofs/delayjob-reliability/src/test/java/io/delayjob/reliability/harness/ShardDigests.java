package io.delayjob.reliability.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.delayjob.JobState;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.Listing;
import io.delayjob.engine.ledger.ShardId;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.engine.settings.QueueSettings;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Digests of some waiting jobs in Redis, one for each shard. Equal digests mean equal jobs: the same records to the last character, due
 * times and attempts.
 *
 * @param jobs how many there are, in all shards
 * @param byShard the digests
 */
public record ShardDigests(int jobs, Map<Integer, String> byShard) {

    /** Digest of no jobs. */
    public static final String NONE = digest(List.of());

    /** Digests of the waiting jobs of the queue {@code default} whose ids begin with a prefix. */
    public static ShardDigests of(Stage stage, String idPrefix) {
        QueueSettings queue = stage.bean(EngineSettings.class).queues().of("default");
        Backend backend = stage.bean(Backend.class);
        Map<Integer, String> digests = new TreeMap<>();
        int jobs = 0;
        for (int shard = 0; shard < queue.shards(); shard++) {
            List<String> lines = lines(
                    backend.ledger(new ShardId("default", shard), queue.retention(), queue.replication()), idPrefix);
            digests.put(shard, digest(lines));
            jobs += lines.size();
        }
        return new ShardDigests(jobs, digests);
    }

    private static List<String> lines(Ledger ledger, String idPrefix) {
        List<String> lines = new ArrayList<>();
        Listing.Position after = null;
        do {
            Listing.Request request = new Listing.Request(JobState.DELAYED, null, idPrefix, after, Ledger.MAX_BATCH);
            Listing.Answer page =
                    ledger.list(request).orTimeout(30, TimeUnit.SECONDS).join();
            page.jobs()
                    .forEach(entry -> lines.add(String.join(
                            " ",
                            entry.id(),
                            Long.toString(entry.job().atMillis()),
                            Integer.toString(entry.job().attempt().number()),
                            entry.job().record())));
            after = page.next();
        } while (after != null);
        Collections.sort(lines);
        return lines;
    }

    private static String digest(List<String> lines) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            lines.forEach(line -> digest.update((line + "\n").getBytes(UTF_8)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
