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
 * Reads a script from the class path, inserts its includes and theirs, and defines a local variable for each key that all of them
 * declare:
 *
 * <pre>
 * --- @include ring
 * --- @keys jobs waiting
 * --- @optional hints
 * </pre>
 *
 * <p>The functions of an include in a block are only made if the block runs. A key that the script declares as optional is nil if
 * the caller does not send it, even if an include declares it too.
 */
final class ScriptSource {

    private static final String FOLDER = "/io/delayjob/redisson/lua/";
    private static final Pattern INCLUDE = Pattern.compile("^ *--- @include (\\w+)$", Pattern.MULTILINE);
    private static final Pattern KEYS = Pattern.compile("^--- @keys (.+)$", Pattern.MULTILINE);
    private static final Pattern OPTIONAL = Pattern.compile("^--- @optional (.+)$", Pattern.MULTILINE);

    /** Where include/check.lua gets the types of the keys. */
    private static final String TYPES = "--- @types";

    private final UnaryOperator<String> include;

    /** Uses the includes on the class path. */
    ScriptSource() {
        this(name -> resource("include/" + name));
    }

    /** Uses other includes, so that a test can replace {@code now} with its own clock. */
    ScriptSource(UnaryOperator<String> include) {
        this.include = include;
    }

    /** Loads a script, with its keys as local variables and its arguments unpacked. */
    Script load(String name) {
        String body = withIncludes(resource(name));
        Set<Key> optional = declared(OPTIONAL, body);
        Set<Key> keys = declared(KEYS, body);
        keys.removeAll(optional);
        List<Key> all = Stream.concat(keys.stream(), optional.stream()).toList();
        String text = include.apply("args") + locals(all) + body.replace(TYPES, types(all));
        return new Script(text.strip(), List.copyOf(keys), List.copyOf(optional));
    }

    private String withIncludes(String text) {
        return INCLUDE.matcher(text).replaceAll(this::included);
    }

    private String included(MatchResult match) {
        return Matcher.quoteReplacement(withIncludes(include.apply(match.group(1))));
    }

    private static Set<Key> declared(Pattern line, String body) {
        return line.matcher(body)
                .results()
                .flatMap(match -> Stream.of(match.group(1).split(" ")))
                .map(name -> Key.valueOf(name.toUpperCase(Locale.ROOT)))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Key.class)));
    }

    private static String locals(List<Key> keys) {
        return "local %s = unpack(KEYS)\n"
                .formatted(keys.stream().map(Key::lowerName).collect(Collectors.joining(", ")));
    }

    private static String types(List<Key> keys) {
        return "local types = { %s }".formatted(keys.stream().map(Key::luaType).collect(Collectors.joining(", ")));
    }

    /** The text of a file in the script folder; the name is without {@code .lua}. */
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
