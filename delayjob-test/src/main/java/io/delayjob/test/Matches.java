package io.delayjob.test;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What is left of a test's record after each thing that was asserted of it, and how to say that nothing is.
 *
 * @param what the plural of what is recorded, as in "submitted jobs"
 * @param left what fits
 * @param asserted what it fits
 * @param shown an entry for people
 * @param hint ends the message of a failure
 * @param <E> the entries
 */
record Matches<E>(String what, List<E> left, List<String> asserted, Function<? super E, String> shown, String hint) {

    /** Keeps the entries that fit one thing more; fails if there is none. */
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

    /** Fails unless so many are left. */
    Matches<E> times(int expected) {
        if (left.size() != expected) {
            throw new AssertionError("Expected " + expected + " of the " + what + " to be " + described() + ", found "
                    + left.size() + ":" + list() + hint);
        }
        return this;
    }

    /** Fails if there is anything. */
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

    /** Entries, numbered, each on a line. */
    static <E> String list(List<E> entries, Function<? super E, String> shown) {
        return IntStream.range(0, entries.size())
                .mapToObj(i -> "\n  " + (i + 1) + ". " + shown.apply(entries.get(i)))
                .collect(Collectors.joining());
    }
}
