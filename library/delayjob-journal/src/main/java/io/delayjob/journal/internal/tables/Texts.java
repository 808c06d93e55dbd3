package io.delayjob.journal.internal.tables;

import org.jspecify.annotations.Nullable;

/** Texts from outside, such as messages of exceptions. */
final class Texts {

    private Texts() {}

    /** The text as every database takes it: without zero bytes and halves of characters, which become a question mark. */
    static @Nullable String storable(@Nullable String text) {
        return text == null || isStorable(text) ? text : replaced(text);
    }

    private static boolean isStorable(String text) {
        return text.codePoints().noneMatch(Texts::isUnstorable);
    }

    private static boolean isUnstorable(int character) {
        return character == 0 || (character <= Character.MAX_VALUE && Character.isSurrogate((char) character));
    }

    private static String replaced(String text) {
        StringBuilder replaced = new StringBuilder(text.length());
        text.codePoints().map(one -> isUnstorable(one) ? '?' : one).forEach(replaced::appendCodePoint);
        return replaced.toString();
    }
}
