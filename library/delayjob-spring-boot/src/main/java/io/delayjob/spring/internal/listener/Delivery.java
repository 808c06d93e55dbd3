package io.delayjob.spring.internal.listener;

import io.delayjob.Acknowledgment;
import io.delayjob.JobExecution;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * An attempt as Spring's resolvers see it. The headers of the job are asked for by name where they are needed: a message would add
 * an id and a timestamp of its own, or hide those of the job.
 *
 * @param listener the name of the listener in error messages
 * @param execution the attempt
 * @param acknowledgment says how it ended
 */
record Delivery(String listener, JobExecution<Object> execution, Acknowledgment acknowledgment)
        implements Message<JobExecution<Object>> {

    private static final MessageHeaders NONE = new MessageHeaders(null, MessageHeaders.ID_VALUE_NONE, -1L) {};

    @Override
    public JobExecution<Object> getPayload() {
        return execution;
    }

    @Override
    public MessageHeaders getHeaders() {
        return NONE;
    }

    @Override
    public String toString() {
        return "job '" + execution.id() + "' of queue '" + execution.queue() + "'";
    }
}
