package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.Pointer;
import io.delayjob.engine.ledger.Pointers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** The pointers of a shard in Redis: the hash {@code pointers}, and the set {@code revoked}, which include/pointers.lua describes. */
final class RedisPointers implements Pointers {

    /** About how many pointers a call looks at. */
    private static final int PAGE = 200;

    private final ShardScripts scripts;
    private final Keys keys;

    RedisPointers(ShardScripts scripts, Keys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    @Override
    public CompletableFuture<List<Optional<Pointer>>> point(List<Wanted> wanted) {
        List<Object> args = new ArrayList<>(1 + 4 * wanted.size());
        args.add(keys.shard().number());
        wanted.forEach(one -> {
            args.add(one.id());
            args.add(one.shard());
            args.add(one.token());
            args.add(one.replaced() == null ? "" : packed(one.replaced()));
        });
        scripts.knowKeys();
        return scripts.string(
                "point",
                keys,
                args,
                answer -> pointers(wanted, RedisLedger.ofEach(wanted, List.of(answer.split("\n", -1)))));
    }

    private static List<Optional<Pointer>> pointers(List<Wanted> wanted, List<String> lines) {
        return IntStream.range(0, lines.size())
                .mapToObj(i -> lines.get(i).isEmpty()
                        ? Optional.<Pointer>empty()
                        : Optional.of(pointer(wanted.get(i).id(), lines.get(i))))
                .toList();
    }

    private static String packed(Pointer pointer) {
        return pointer.shard() + "|" + pointer.token() + "|" + pointer.millis();
    }

    private static Pointer pointer(String id, String packed) {
        String[] parts = packed.split("\\|");
        return new Pointer(id, Integer.parseInt(parts[0]), parts[1], Long.parseLong(parts[2]));
    }

    @Override
    public CompletableFuture<Optional<Pointer>> find(String id) {
        return scripts.list(
                "find_pointer",
                keys,
                List.of(id),
                answer -> answer.isEmpty() ? Optional.empty() : Optional.of(pointer(id, Answers.text(answer, 0))));
    }

    @Override
    public CompletableFuture<List<Boolean>> revoke(List<Pointer> pointers) {
        List<Object> args = new ArrayList<>(2 * pointers.size());
        pointers.forEach(pointer -> {
            args.add(pointer.id());
            args.add(pointer.token());
        });
        return scripts.string("revoke", keys, args, answer -> RedisLedger.ofEach(pointers, ResultCodes.flags(answer)));
    }

    @Override
    public CompletableFuture<Page> sweep(String cursor, List<Pointer> ended) {
        List<Object> args = new ArrayList<>(2 + 2 * ended.size());
        args.add(cursor);
        args.add(PAGE);
        ended.forEach(pointer -> {
            args.add(pointer.id());
            args.add(packed(pointer));
        });
        return scripts.list("sweep_pointers", keys, args, RedisPointers::page);
    }

    private static Page page(List<Object> answer) {
        List<Pointer> old = new ArrayList<>();
        for (int i = 1; i < answer.size(); i += 2) {
            old.add(pointer(Answers.text(answer, i), Answers.text(answer, i + 1)));
        }
        return new Page(Answers.text(answer, 0), old);
    }
}
