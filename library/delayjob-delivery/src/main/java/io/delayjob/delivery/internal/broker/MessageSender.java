package io.delayjob.delivery.internal.broker;

/** Sends messages of one broker when their time has come. */
public interface MessageSender {

    /** The scheme of the broker, as {@link DelayedMessage#broker()} has it. */
    String broker();

    /**
     * Sends a message and returns when the broker has confirmed it.
     *
     * @throws Exception to try again later
     */
    void send(DelayedMessage message) throws Exception;
}
