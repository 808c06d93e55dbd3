package io.delayjob.redisson.internal.redis;

import io.delayjob.Limits;
import io.delayjob.engine.ledger.Ledger;
import io.delayjob.engine.ledger.PackedLimits;
import io.delayjob.engine.ledger.ShardLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The limits of a shard in Redis: the hash {@code limits}, whose fields include/lanes.lua describes. */
final class RedisLimits implements ShardLimits {

    private static final String KEY = "key:";
    private static final String PAUSED = "paused:";
    private static final String EACH = "each";
    private static final String WHOLE = "whole";
    private static final String DECLARED = "declared";
    private static final String VERSION = "version";

    private final ShardScripts scripts;
    private final Keys keys;

    RedisLimits(ShardScripts scripts, Keys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    @Override
    public CompletableFuture<Long> set(@Nullable Shared limits, long version) {
        return set(limits, VERSION, version);
    }

    @Override
    public CompletableFuture<Long> setAfter(@Nullable Shared limits, long known) {
        return set(limits, "after", known);
    }

    private CompletableFuture<Long> set(@Nullable Shared limits, String which, long version) {
        return asked(
                "",
                List.of(
                        "share",
                        limits == null ? "" : PackedLimits.marked(limits.share()),
                        WHOLE,
                        limits == null ? "" : PackedLimits.marked(limits.whole()),
                        EACH,
                        limits == null ? "" : PackedLimits.of(limits.whole().perKey()),
                        which,
                        version));
    }

    @Override
    public CompletableFuture<Boolean> set(String key, @Nullable Limits limits) {
        return set(key, List.of("key", limits == null ? "" : PackedLimits.marked(limits)));
    }

    @Override
    public CompletableFuture<Boolean> pause(String key, boolean paused) {
        return set(key, paused ? List.of("paused", 1) : List.of("paused", "", "slow", ""));
    }

    @Override
    public CompletableFuture<Boolean> slow(@Nullable String key, Duration time) {
        return set(key == null ? "" : key, List.of("slow", time.toMillis()));
    }

    private CompletableFuture<Boolean> set(String key, List<?> fields) {
        return asked(key, fields).thenApply(set -> set == 1);
    }

    private CompletableFuture<Long> asked(String key, List<?> fields) {
        List<Object> args = new ArrayList<>(List.of(MOST_KEYS, PackedKey.of(key)));
        args.addAll(fields);
        scripts.knowKeys();
        return scripts.number("set_limits", keys, args);
    }

    @Override
    public CompletableFuture<Boolean> reconsider() {
        return scripts.numberKnowingKeys("reconsider", keys, List.of(Ledger.MAX_BATCH))
                .thenApply(more -> more == 1);
    }

    @Override
    public CompletableFuture<Standing> join(String round) {
        return scripts.listKnowingKeys(
                "share_limits",
                keys,
                List.of(round, "", ""),
                answer -> new Standing(
                        Answers.text(answer, 0),
                        PackedLimits.read(Answers.text(answer, 1)),
                        PackedLimits.read(Answers.text(answer, 2)),
                        (int) Answers.number(answer, 3),
                        (int) Answers.number(answer, 4),
                        Long.parseLong(Answers.text(answer, 5)),
                        Long.parseLong(Answers.text(answer, 6))));
    }

    @Override
    public CompletableFuture<Optional<Limits>> lend(String round, Limits even, Limits share) {
        return scripts.listKnowingKeys(
                "share_limits",
                keys,
                List.of(round, PackedLimits.of(even), PackedLimits.of(share)),
                answer ->
                        answer.isEmpty() ? Optional.empty() : Optional.of(PackedLimits.read(Answers.text(answer, 0))));
    }

    @Override
    public CompletableFuture<View> read(int most) {
        return scripts.listKnowingKeys("limits", keys, List.of(most, KeyView.MOST_HOLDERS, ""), RedisLimits::view);
    }

    @Override
    public CompletableFuture<KeyView> read(String key) {
        return scripts.listKnowingKeys(
                "limits",
                keys,
                List.of(0, KeyView.MOST_HOLDERS, PackedKey.of(key)),
                answer -> view(answer).longest().get(0));
    }

    private static View view(List<Object> answer) {
        Map<String, String> fields = new TreeMap<>();
        String[] lines = Answers.text(answer, 0).split("\n", -1);
        for (int i = 0; i + 1 < lines.length; i += 2) {
            fields.put(lines[i], lines[i + 1]);
        }
        Map<String, Limits> own = new TreeMap<>();
        List<String> paused = new ArrayList<>();
        fields.forEach((field, value) -> {
            if (field.startsWith(KEY)) {
                own.put(PackedKey.read(field.substring(KEY.length())), PackedLimits.read(value));
            } else if (field.startsWith(PAUSED)) {
                paused.add(PackedKey.read(field.substring(PAUSED.length())));
            }
        });
        List<KeyView> longest = new ArrayList<>();
        for (int i = 9; i < answer.size(); i += 9) {
            longest.add(key(answer, i, own, paused));
        }
        return new View(
                fields.containsKey(WHOLE) ? limits(fields, WHOLE, EACH) : null,
                Long.parseLong(fields.getOrDefault(VERSION, "0")),
                limits(fields, DECLARED, DECLARED + " " + EACH),
                PackedLimits.read(Answers.text(answer, 5)),
                own,
                Answers.number(answer, 8) == 1,
                paused,
                (int) Answers.number(answer, 1),
                (int) Answers.number(answer, 7),
                (int) Answers.number(answer, 2),
                longest,
                (int) Answers.number(answer, 3),
                lines(answer, 6),
                begins(answer, 4));
    }

    private static Limits limits(Map<String, String> fields, String whole, String each) {
        return PackedLimits.read(fields.getOrDefault(whole, ""), fields.getOrDefault(each, ""));
    }

    private static KeyView key(List<Object> answer, int from, Map<String, Limits> own, List<String> paused) {
        String key = PackedKey.read(Answers.text(answer, from));
        String next = Answers.text(answer, from + 1);
        return new KeyView(
                key,
                own.get(key),
                paused.contains(key),
                (int) Answers.number(answer, from + 4),
                next.isEmpty() ? null : next,
                next.isEmpty() ? 0 : Long.parseLong(Answers.text(answer, from + 2)),
                next.isEmpty() ? 0 : Long.parseLong(Answers.text(answer, from + 8)),
                begins(answer, from + 3),
                lines(answer, from + 6),
                (int) Answers.number(answer, from + 5),
                lines(answer, from + 7));
    }

    private static Begins begins(List<Object> answer, int index) {
        String text = Answers.text(answer, index);
        Begins.Because because = switch (text.charAt(0)) {
            case 'S' -> Begins.Because.SLOWED;
            case 'R' -> Begins.Because.RATE;
            default -> Begins.Because.TIME;
        };
        return new Begins(Long.parseLong(text.substring(1)), because);
    }

    private static List<String> lines(List<Object> answer, int index) {
        String text = Answers.text(answer, index);
        return text.isEmpty() ? List.of() : List.of(text.split("\n"));
    }
}
