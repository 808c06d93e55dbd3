package io.delayjob.engine.ledger;

/**
 * One shard of one queue.
 *
 * @param queue the queue's name
 * @param number the shard's number, from 0
 */
public record ShardId(String queue, int number) {

    @Override
    public String toString() {
        return queue + ":" + number;
    }
}
