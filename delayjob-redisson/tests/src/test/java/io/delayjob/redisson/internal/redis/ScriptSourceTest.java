package io.delayjob.redisson.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.engine.ledger.Edge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScriptSourceTest {

    /** They ask something of the server, and have a key so that the master of a shard is asked. */
    private static final Set<String> ASK_THE_SERVER = Set.of("policy", "persistence");

    /** They only run as scripts that know keys. */
    private static final Set<String> KNOW_KEYS = Set.of("limits", "set_limits", "share_limits", "reconsider", "point");

    /** The keys that one include owns: all others call its functions. Only the type of {@code prioritized} is checked elsewhere. */
    private static final Map<Key, Set<String>> OWNERS = Map.of(
            Key.WAITING, Set.of("include/waiting"),
            Key.PRIORITIZED, Set.of("include/waiting", "include/know_levels", "include/keyed/know_levels"),
            Key.RESERVED, Set.of("include/reserved", "include/lanes"),
            Key.INDEX, Set.of("include/index", "include/repair_index", "include/marks", "indexed"),
            Key.MARKS, Set.of("include/index", "include/repair_index"),
            Key.POINTERS, Set.of("point", "find_pointer", "sweep_pointers", "include/keyed/pointed"),
            Key.REVOKED, Set.of("revoke", "submit", "include/is_revoked"));

    /** A function that takes the place of another one. Where nothing behind it calls it, it is left out, and what is before it has the other one. */
    private static final Pattern REPLACEMENT = Pattern.compile("^function (\\w+)\\(", Pattern.MULTILINE);

    private static final Pattern COMMENT = Pattern.compile("(?<!-)--(?!- @keys).*");

    static Stream<String> scripts() throws IOException {
        return files("/io/delayjob/redisson/lua");
    }

    static Stream<String> scriptsAndIncludes() throws IOException {
        return Stream.of(
                        scripts(),
                        files("/io/delayjob/redisson/lua/include").map(name -> "include/" + name),
                        files("/io/delayjob/redisson/lua/include/keyed").map(name -> "include/keyed/" + name))
                .flatMap(Function.identity());
    }

    private static Stream<String> files(String folder) throws IOException {
        try (Stream<Path> files = Files.list(Path.of("../src/main/resources" + folder))) {
            List<String> names = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".lua"))
                    .map(name -> name.substring(0, name.length() - ".lua".length()))
                    .toList();
            return names.stream();
        }
    }

    @ParameterizedTest
    @EnumSource(Edge.class)
    void everyEdgeIsAScriptWhoseHeaderSaysItsArgumentsAnswerAndCost(Edge edge) {
        String text = ScriptSource.resource(edge.script());
        assertThat(text).contains("-- ARGV  ", "-- Returns ", "-- Cost  ");
    }

    @ParameterizedTest
    @MethodSource("scriptsAndIncludes")
    void noScriptNumbersItsKeys(String name) {
        assertThat(code(ScriptSource.resource(name))).doesNotContain("KEYS[");
    }

    @ParameterizedTest
    @MethodSource("scriptsAndIncludes")
    void noIncludeCallsAFunctionBeforeItReplacesIt(String name) {
        String text = code(ScriptSource.resource(name));
        assertThat(REPLACEMENT.matcher(text).results())
                .allSatisfy(function -> assertThat(text.substring(0, function.start()))
                        .doesNotContainPattern("\\b" + function.group(1) + "\\("));
    }

    @ParameterizedTest
    @MethodSource("scriptsAndIncludes")
    void onlyItsOwnerNamesAKey(String name) {
        String text = code(ScriptSource.resource(name));
        assertThat(OWNERS.keySet())
                .filteredOn(key -> !OWNERS.get(key).contains(name))
                .noneMatch(key -> Pattern.compile("\\b" + key.lowerName() + "\\b")
                        .matcher(text)
                        .find());
    }

    /** Scripts as shards without keys run them. Those that know keys share an include with all keys of these. */
    static Stream<String> plainScripts() throws IOException {
        return scripts().filter(name -> !KNOW_KEYS.contains(name));
    }

    @ParameterizedTest
    @MethodSource("plainScripts")
    void everyScriptIsSentTheKeysItUsesAndNoOthers(String name) {
        Script script = new ScriptSource().load(name);
        String code = code(script.text().substring(script.text().indexOf("unpack(KEYS)")));
        List<Key> sent = Stream.concat(script.keys().stream(), script.optional().stream())
                .toList();
        assertThat(sent).doesNotHaveDuplicates().isNotEmpty();
        assertThat(sent).filteredOn(key -> !uses(code, key)).hasSize(ASK_THE_SERVER.contains(name) ? 1 : 0);
    }

    /** Whether a key is handed to Redis, or to a function. */
    private static boolean uses(String code, Key key) {
        return Pattern.compile("(?:[(,{=] ?|return )" + key.lowerName() + "\\b")
                .matcher(code)
                .find();
    }

    private static String code(String text) {
        return COMMENT.matcher(text).replaceAll("");
    }

    @Test
    void aScriptHasTheKeysOfItsIncludesAsLocalsOfTheirNames() {
        Script script = new ScriptSource().load("renew");
        assertThat(script.keys()).containsExactly(Key.RESERVED, Key.FACTS);
        assertThat(script.text())
                .contains("\nlocal reserved, facts = unpack(KEYS)\n", "\n  local types = { 'zset', 'hash' }\n");
        assertThat(new ScriptSource().load("redrive").keys()).contains(Key.MEMO, Key.WATERMARK, Key.OUTCOMES);
    }

    @Test
    void optionalKeysFollowTheOthersWhateverIncludesDeclare() {
        Script script = new ScriptSource().load("claim");
        assertThat(script.optional()).containsExactly(Key.HANDLERS, Key.HINTS);
        assertThat(script.keys()).doesNotContainAnyElementsOf(script.optional());
        assertThat(script.text()).contains(", memo, handlers, hints = unpack(KEYS)\n");
    }

    @Test
    void putsIncludesInPlace() {
        assertThat(new ScriptSource().load("submit").text())
                .contains("local function now()", "local function recall(number)")
                .doesNotContain("@include");
    }

    @Test
    void putsIncludesOfIncludesInPlaceAlsoInABlock() {
        assertThat(new ScriptSource().load("submit").text())
                .containsSubsequence("\nif have_terms then\n", "\nlocal function needs_ring(", "\nlocal function ring(")
                .doesNotContain("@types");
    }

    @Test
    void leavesOutWhatNothingUses() {
        String include = """
            local LIMIT, OTHER = 1, 2
            local UNUSED = 3
            local function called()
              return LIMIT
            end
            local function caller()
              return called()
            end
            -- idle() is named here alone.
            local function idle()
              return called(UNUSED)
            end\
            """;
        ScriptSource source = new ScriptSource(name -> switch (name) {
            case "now" -> include + "\nlocal function now()\n  return caller()\nend\n";
            default -> ScriptSource.resource("include/" + name);
        });
        assertThat(source.load("fleet").text())
                .contains("local LIMIT, OTHER = 1, 2\n", "local function called()", "local function caller()")
                .doesNotContain("local function idle()", "local UNUSED");
    }

    @Test
    void onlyTheExportsOfAnIncludeAreLocalsOfTheScript() {
        String include = """
            --- @exports now
            local function hidden()
              return 1
            end
            function now()
              return hidden()
            end
            """;
        ScriptSource source =
                new ScriptSource(name -> name.equals("now") ? include : ScriptSource.resource("include/" + name));
        assertThat(source.load("fleet").text())
                .contains("local now\ndo\n--- @exports now\nlocal function hidden()")
                .contains("  return hidden()\nend\nend\n");
    }

    @Test
    void namesAScriptThatIsMissing() {
        assertThatThrownBy(() -> ScriptSource.resource("nothing"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nothing.lua");
    }
}
