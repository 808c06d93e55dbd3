package io.delayjob.redisson.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a script from the class path and puts in place what it includes. */
final class ScriptSource {

    private static final String FOLDER = "/io/delayjob/redisson/lua/";
    private static final Pattern INCLUDE = Pattern.compile("^--- @include (\\w+)$", Pattern.MULTILINE);

    private final UnaryOperator<String> include;

    /** With the includes of the class path. */
    ScriptSource() {
        this(name -> resource("include/" + name));
    }

    /** With other includes; a test puts its own clock in place of {@code now}. */
    ScriptSource(UnaryOperator<String> include) {
        this.include = include;
    }

    /** The text of a script, which finds its arguments unpacked. */
    String load(String name) {
        return INCLUDE.matcher("--- @include args\n" + resource(name))
                .replaceAll(this::included)
                .strip();
    }

    private String included(MatchResult match) {
        return Matcher.quoteReplacement(include.apply(match.group(1)));
    }

    /** The text of a file of the script folder, without {@code .lua} in its name. */
    static String resource(String name) {
        String path = FOLDER + name + ".lua";
        try (InputStream in = ScriptSource.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalArgumentException("no script on the class path: " + path);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("script " + path, e);
        }
    }
}
