package io.delayjob;

/** Thrown when a key is to get limits of its own or a pause, and too many other keys of its shard have some. Nothing is changed then. */
public class TooManyKeysException extends DelayJobException {

    private static final long serialVersionUID = 1L;

    /**
     * For a key.
     *
     * @param queue the queue
     * @param key the key
     * @param most how many keys of a shard may have limits of their own or a pause
     */
    public TooManyKeysException(String queue, String key, int most) {
        super(
                "key '" + key + "' of queue '" + queue + "' gets no limits of its own and no pause: " + most
                        + " other keys of its shard have some; clear or resume some of them, or set limits for each key",
                null);
    }
}
