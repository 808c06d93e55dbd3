package io.delayjob.redisson.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a script from the class path, puts in place what it includes, and gives it the keys that it and its includes declare, each as a
 * local of its name:
 *
 * <pre>
 * --- @include ring
 * --- @keys jobs waiting
 * --- @optional hints
 * </pre>
 *
 * <p>A key that the script declares as optional is nil where the caller does not send it, whatever includes declare.
 */
final class ScriptSource {

    private static final String FOLDER = "/io/delayjob/redisson/lua/";
    private static final Pattern INCLUDE = Pattern.compile("^--- @include (\\w+)$", Pattern.MULTILINE);
    private static final Pattern KEYS = Pattern.compile("^--- @keys (.+)$", Pattern.MULTILINE);
    private static final Pattern OPTIONAL = Pattern.compile("^--- @optional (.+)$", Pattern.MULTILINE);

    private final UnaryOperator<String> include;

    /** With the includes of the class path. */
    ScriptSource() {
        this(name -> resource("include/" + name));
    }

    /** With other includes; a test puts its own clock in place of {@code now}. */
    ScriptSource(UnaryOperator<String> include) {
        this.include = include;
    }

    /** A script, which finds its keys in locals and its arguments unpacked. */
    Script load(String name) {
        String body = INCLUDE.matcher(resource(name)).replaceAll(this::included);
        Set<Key> optional = declared(OPTIONAL, body);
        Set<Key> keys = declared(KEYS, body);
        keys.removeAll(optional);
        List<Key> all = Stream.concat(keys.stream(), optional.stream()).toList();
        String text = include.apply("args") + locals(all) + body;
        return new Script(text.strip(), List.copyOf(keys), List.copyOf(optional));
    }

    private String included(MatchResult match) {
        return Matcher.quoteReplacement(include.apply(match.group(1)));
    }

    private static Set<Key> declared(Pattern line, String body) {
        return line.matcher(body)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(" ")))
                .map(name -> Key.valueOf(name.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Key.class)));
    }

    /** Their types are what include/check.lua compares with. */
    private static String locals(List<Key> keys) {
        return "local %s = unpack(KEYS)\nlocal KEY_TYPES = { %s }\n"
                .formatted(
                        keys.stream().map(Key::lowerName).collect(Collectors.joining(", ")),
                        keys.stream().map(Key::luaType).collect(Collectors.joining(", ")));
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
