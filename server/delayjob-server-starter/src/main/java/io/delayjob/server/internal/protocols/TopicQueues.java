package io.delayjob.server.internal.protocols;

import io.delayjob.support.Checks;
import io.delayjob.support.QueueNames;

/**
 * The queues of a protocol's topics. A topic is free text; a queue is named by at most 64 of {@code A-Z a-z 0-9 . _ -}. So a topic that
 * cannot be a part of such a name, or begins with an underscore, has a queue named by its digest.
 *
 * @param prefix the prefix of the names of all queues of the protocol
 */
public record TopicQueues(String prefix) {

    /**
     * The queue of a topic.
     *
     * @throws IllegalArgumentException if the topic is blank, over 256 characters, or has control characters; the message says so
     */
    public String of(String topic) {
        check(topic);
        return QueueNames.of(prefix, topic);
    }

    private static void check(String topic) {
        try {
            Checks.jobName(topic);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()).replace("job name", "topic"), e);
        }
    }

    /** Whether a queue is of the protocol. */
    public boolean has(String queue) {
        return queue.startsWith(prefix);
    }
}
