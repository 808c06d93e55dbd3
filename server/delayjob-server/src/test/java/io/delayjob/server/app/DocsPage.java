package io.delayjob.server.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The examples of a page of the docs. */
final class DocsPage {

    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\\n(.*?)```", Pattern.DOTALL);

    private final String text;

    /**
     * Reads a page.
     *
     * @param name such as {@code server.md}
     */
    DocsPage(String name) {
        try {
            text = Files.readString(Path.of("../../docs", name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page. */
    String text() {
        return text;
    }

    /** A piece of code, in its language. */
    record Block(String language, String text) {

        boolean is(String other) {
            return language.equals(other);
        }
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        Matcher found = BLOCK.matcher(text);
        while (found.find()) {
            blocks.add(new Block(found.group(1), found.group(2)));
        }
        return blocks;
    }

    /** The only piece of a language that contains a text. */
    String only(String language, String text) {
        List<Block> all = blocks().stream()
                .filter(block -> block.is(language) && block.text().contains(text))
                .toList();
        if (all.size() != 1) {
            throw new AssertionError(all.size() + " examples in " + language + " with " + text);
        }
        return all.get(0).text();
    }

    /** Regular expression for an expected text of the page, in which an ellipsis stands for text that differs each time. */
    static Pattern pattern(String expected) {
        String[] parts = expected.strip().split("…", -1);
        StringBuilder pattern = new StringBuilder(Pattern.quote(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            pattern.append("[^\"]+").append(Pattern.quote(parts[i]));
        }
        return Pattern.compile(pattern.toString());
    }
}
