package io.delayjob.redisson.internal.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
 * <p>A script for shards with keys, see {@link #knowingKeys}, has other includes of the same names, from the folder {@code keyed}. Such an include has the
 * one whose place it takes behind {@code --- @plain}. An include behind {@code --- @once} is inserted once.
 *
 * <p>Of an include with a line {@code --- @exports}, only the names in that line are known outside: Lua allows a script no more than 200.
 *
 * <p>The functions of an include in a block are only made if the block runs. A key that the script declares as optional is nil if
 * the caller does not send it, even if an include declares it too.
 *
 * <p>Functions and constants that nothing uses are left out, because Redis creates each of them anew at every call. So an include may
 * have functions that only some scripts need.
 */
final class ScriptSource {

    private static final String FOLDER = "/io/delayjob/redisson/lua/";
    private static final Pattern INCLUDE = Pattern.compile("^ *--- @(include|plain|once) (\\w+)$", Pattern.MULTILINE);

    /** The folder of the includes that know keys, which take the place of those with the same names. */
    private static final String KEYED = "keyed/";

    private static final String KNOWING_KEYS = "+keys";
    private static final Pattern KEYS = Pattern.compile("^--- @keys (.+)$", Pattern.MULTILINE);
    private static final Pattern OPTIONAL = Pattern.compile("^--- @optional (.+)$", Pattern.MULTILINE);

    private static final Pattern EXPORTS = Pattern.compile("^--- @exports (.+)$", Pattern.MULTILINE);

    /** Where include/check.lua gets the types of the keys. */
    private static final String TYPES = "--- @types";

    /**
     * A function, up to its end, or constants in capitals or another name for a variable, on one line. A function that is not local takes the place of one
     * that is.
     */
    private static final Pattern DEFINITION = Pattern.compile(
            "^(?:local )?(?:function (\\w+)\\((?s:.*?)^end|(?<=local )([A-Z][A-Z_, ]*) = .*|(?<=local )(\\w+) = \\w+)$",
            Pattern.MULTILINE);

    private static final Pattern COMMENT = Pattern.compile("--.*");
    private static final Pattern WORD = Pattern.compile("\\w+");

    private final UnaryOperator<String> include;

    /** Uses the includes on the class path. */
    ScriptSource() {
        this(name -> resource("include/" + name));
    }

    /** Uses other includes, so that a test can replace {@code now} with its own clock. */
    ScriptSource(UnaryOperator<String> include) {
        this.include = include;
    }

    /** The name of a script for shards with keys. */
    static String knowingKeys(String script) {
        return script + KNOWING_KEYS;
    }

    /** The name of a script without what {@link #knowingKeys} adds. */
    static String plain(String name) {
        return name.endsWith(KNOWING_KEYS) ? name.substring(0, name.length() - KNOWING_KEYS.length()) : name;
    }

    /** Loads a script, with its keys as local variables and its arguments unpacked. */
    Script load(String name) {
        String script = plain(name);
        String body = used(withIncludes(resource(script), !script.equals(name), new HashSet<>()));
        Set<Key> optional = declared(OPTIONAL, body);
        Set<Key> keys = declared(KEYS, body);
        keys.removeAll(optional);
        List<Key> all = Stream.concat(keys.stream(), optional.stream()).toList();
        String text = include.apply("args") + locals(all) + body.replace(TYPES, types(all));
        return new Script(text.strip(), List.copyOf(keys), List.copyOf(optional));
    }

    private String withIncludes(String text, boolean knowsKeys, Set<String> once) {
        return INCLUDE.matcher(text).replaceAll(match -> included(match, knowsKeys, once));
    }

    private String included(MatchResult match, boolean knowsKeys, Set<String> once) {
        String kind = match.group(1);
        String name = match.group(2);
        if (kind.equals("once") && !once.add(name)) {
            return "";
        }
        boolean keyed = knowsKeys && !kind.equals("plain") && exists("include/" + KEYED + name);
        String text = include.apply(keyed ? KEYED + name : name);
        return Matcher.quoteReplacement(withIncludes(scoped(text), knowsKeys, once));
    }

    private static String scoped(String text) {
        Matcher exports = EXPORTS.matcher(text);
        return exports.find()
                ? "local %s\ndo\n%send\n".formatted(exports.group(1).replace(" ", ", "), text)
                : text;
    }

    private static boolean exists(String name) {
        return ScriptSource.class.getResource(FOLDER + name + ".lua") != null;
    }

    /** Leaves out the definitions that nothing uses. A definition is used only behind it, so the last one is judged first. */
    private static String used(String body) {
        Deque<MatchResult> definitions = new ArrayDeque<>();
        DEFINITION.matcher(body).results().forEach(definitions::push);
        StringBuilder text = new StringBuilder(body);
        Set<String> words = new HashSet<>();
        int end = body.length();
        for (MatchResult definition : definitions) {
            words.addAll(words(body.substring(definition.end(), end)));
            if (words(name(definition)).stream().noneMatch(words::contains)) {
                text.delete(definition.start(), definition.end());
            } else {
                words.addAll(words(definition.group()));
            }
            end = definition.start();
        }
        return text.toString();
    }

    private static String name(MatchResult definition) {
        return Stream.of(1, 2, 3)
                .map(definition::group)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private static Set<String> words(String text) {
        return WORD.matcher(COMMENT.matcher(text).replaceAll(""))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
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
