package io.delayjob.server.console.internal.pages;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A value of a form or an address that cannot be taken. Its reason is a text of the console, so that it is said in the language of the reader; the message is in English. */
public final class BadInput extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    private final String key;
    private final String[] values;
    private final @Nullable String field;

    private BadInput(@Nullable String field, String key, String... values) {
        super(Texts.text(Texts.LANGUAGES.get(0), key, (Object[]) values));
        this.key = key;
        this.values = values.clone();
        this.field = field;
    }

    /**
     * A value that belongs to no field of a form, such as a word of a search.
     *
     * @param reason the end of the key of the text
     * @param values what the text has places for
     */
    public static BadInput of(String reason, String... values) {
        return new BadInput(null, "bad." + reason, values);
    }

    /**
     * The value of a field.
     *
     * @param field the name of the field, which is the first value of the text
     * @param reason the end of the key of the text
     * @param others the other values of the text
     */
    public static BadInput in(String field, String reason, String... others) {
        String[] values = new String[others.length + 1];
        values[0] = field;
        System.arraycopy(others, 0, values, 1, others.length);
        return new BadInput(field, "bad." + reason, values);
    }

    /** The name of the field; null if the value is of none. */
    @Nullable String field() {
        return field;
    }

    /** The reason in a language. */
    String text(Locale language) {
        return Texts.text(language, key, (Object[]) values);
    }
}
