package io.delayjob;

import io.delayjob.support.Checks;

/**
 * A value that jobs are found by in the index of their queue ({@code delayjob.queues.<queue>.index}).
 *
 * @param word the word of the index: {@code tag}, or the name of a field of params, such as {@code orderId} or {@code customer.id}
 * @param value the whole tag or text, or the number or boolean as JSON has it
 */
public record IndexedValue(String word, String value) {

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the word cannot be one of an index; the message names it
     */
    public IndexedValue {
        Checks.indexWord(word);
        Checks.notNull(value, "value");
    }
}
