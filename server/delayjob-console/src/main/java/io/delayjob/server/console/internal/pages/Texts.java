package io.delayjob.server.console.internal.pages;

import java.text.MessageFormat;
import java.util.List;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.thymeleaf.context.ITemplateContext;
import org.thymeleaf.messageresolver.AbstractMessageResolver;

/** The words of the pages, in the languages that there are. */
public final class Texts extends AbstractMessageResolver {

    /** The languages; the first one is for all who speak none of them. */
    public static final List<Locale> LANGUAGES = List.of(Locale.ENGLISH, Locale.CHINESE);

    static final String BUNDLE = "io.delayjob.server.console.messages";

    private static final ResourceBundle.Control EXACT =
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES);

    /** The language for somebody who wants one. */
    static Locale language(@Nullable String wanted) {
        return LANGUAGES.stream()
                .filter(one -> one.getLanguage().equals(wanted))
                .findFirst()
                .orElse(LANGUAGES.get(0));
    }

    /** A text with its values. */
    public static String text(Locale language, String key, @Nullable Object... values) {
        try {
            String pattern = ResourceBundle.getBundle(BUNDLE, language, EXACT).getString(key);
            return new MessageFormat(pattern, language).format(values);
        } catch (MissingResourceException e) {
            return key;
        }
    }

    @Override
    public String resolveMessage(
            ITemplateContext context, @Nullable Class<?> origin, String key, @Nullable Object @Nullable [] values) {
        return text(context.getLocale(), key, values == null ? new Object[0] : values);
    }

    @Override
    public String createAbsentMessageRepresentation(
            ITemplateContext context, @Nullable Class<?> origin, String key, @Nullable Object @Nullable [] values) {
        return key;
    }
}
