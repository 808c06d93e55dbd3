package io.delayjob.test;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The recorded entries that match all assertions so far, and the message of a failed assertion.
 *
 * @param what the plural noun for the entries, such as "submitted jobs"
 * @param left the entries that match
 * @param asserted the descriptions of the assertions they match
 * @param shown formats an entry for a message
 * @param hint the text at the end of a failure's message
 * @param <E> the type of the entries
 */
record Matches<E>(String what, List<E> left, List<String> asserted, Function<? super E, String> shown, String hint) {

    /** Keeps the entries that also match this; fails if there is none. */
    Matches<E> that(String description, Predicate<? super E> fits) {
        List<E> fitting = left.stream().filter(fits).toList();
        Matches<E> next = new Matches<>(
                what,
                fitting,
                Stream.concat(asserted.stream(), Stream.of(description)).toList(),
                shown,
                hint);
        if (fitting.isEmpty()) {
            throw new AssertionError(
                    "Expected one of the " + what + " to be " + next.described() + ".\n" + found(description));
        }
        return next;
    }

    private String found(String description) {
        if (left.isEmpty()) {
            return "There are no " + what + "." + hint;
        }
        String compared = asserted.isEmpty()
                ? "None of the " + left.size() + " is "
                : "Of the " + left.size() + " that are " + described() + ", none is ";
        return compared + description + ":" + list() + hint;
    }

    /** Fails unless this many are left. */
    Matches<E> times(int expected) {
        if (left.size() != expected) {
            throw new AssertionError("Expected " + expected + " of the " + what + " to be " + described() + ", found "
                    + left.size() + ":" + list() + hint);
        }
        return this;
    }

    /** Fails if any entry is left. */
    void none(String expectation) {
        if (!left.isEmpty()) {
            throw new AssertionError(expectation + ", found " + left.size() + ":" + list() + hint);
        }
    }

    private String described() {
        return String.join(", ", asserted);
    }

    private String list() {
        return list(left, shown);
    }

    /** The entries as a numbered list, one per line. */
    static <E> String list(List<E> entries, Function<? super E, String> shown) {
        return IntStream.range(0, entries.size())
                .mapToObj(i -> "\n  " + (i + 1) + ". " + shown.apply(entries.get(i)))
                .collect(Collectors.joining());
    }
}
