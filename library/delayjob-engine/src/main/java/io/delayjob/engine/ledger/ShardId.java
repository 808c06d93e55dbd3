package io.delayjob.engine.ledger;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * One shard of one queue.
 *
 * @param queue the queue's name
 * @param number the shard's number, from 0
 */
public record ShardId(String queue, int number) {

    /** The shard of a text, such as an id or a key, in a queue of so many: what the CRC-32 of the text in UTF-8 leaves. */
    public static ShardId of(String queue, String text, int shards) {
        if (shards == 1) {
            return new ShardId(queue, 0);
        }
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(StandardCharsets.UTF_8));
        return new ShardId(queue, (int) (crc.getValue() % shards));
    }

    @Override
    public String toString() {
        return queue + ":" + number;
    }
}
