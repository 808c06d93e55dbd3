package io.delayjob.delivery.internal.broker;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobName;
import io.delayjob.DelayJobQueue;
import io.delayjob.JobExecution;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Sends messages that were sent with a delay, when their time has come. */
@DelayJobName(DelayedMessageJob.NAME)
@DelayJobQueue(DelayedMessageJob.NAME)
public final class DelayedMessageJob implements DelayJob<DelayedMessage> {

    /** The name of the job, and that of its queue. */
    public static final String NAME = "delayed-messages";

    private final Map<String, MessageSender> senders = new TreeMap<>();

    /** Sends to the brokers of these senders. */
    public DelayedMessageJob(Collection<? extends MessageSender> senders) {
        senders.forEach(sender -> this.senders.put(sender.broker(), sender));
    }

    @Override
    public void execute(JobExecution<DelayedMessage> execution) throws Exception {
        String broker = execution.param().broker();
        MessageSender sender = senders.get(broker);
        if (sender == null) {
            throw new IllegalStateException("this node has no template for " + broker + ", only for " + senders.keySet()
                    + "; every node of queue '" + NAME + "' needs those of all of them");
        }
        sender.send(execution.param());
    }
}
