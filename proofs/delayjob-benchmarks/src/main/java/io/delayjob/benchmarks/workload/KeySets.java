package io.delayjob.benchmarks.workload;

import io.delayjob.benchmarks.driver.Meter;
import io.delayjob.benchmarks.driver.RedisStore;
import io.delayjob.benchmarks.driver.Rig;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The bare commands of a job's life, in calls of 200 jobs without any rule: those that every job needs, and those that a key adds, because a
 * job is in the lane of its key while it waits and its key has a turn. No script can cost Redis less.
 */
final class KeySets {

    private static final int BATCH = 200;

    /** Each script begins with this. Its arguments are the number of keys and the ids. */
    private static final String BEGIN = """
            local keys, record, facts = tonumber(ARGV[1]), string.rep('r', 220), string.rep('f', 110)
            local function each(make)
              local all = {}
              for n = 2, #ARGV do
                all[n - 1] = make(ARGV[n])
              end
              return unpack(all)
            end
            local function pairs_of(first, make)
              local all = {}
              for n = 2, #ARGV do
                all[2 * n - 3], all[2 * n - 2] = first or ARGV[n], make(ARGV[n])
              end
              return unpack(all)
            end
            local function id_of(id)
              return id
            end
            local function key_of(id)
              return 'customer-' .. tonumber(string.sub(id, 5)) % keys
            end
            local function entry_of(id)
              return key_of(id) .. '\\0001766000000000000000000000001\\0' .. id
            end
            local function held_of(id)
              return key_of(id) .. '\\0' .. id
            end
            """;

    private static final List<String> OF_EVERY_JOB = scripts("""
            redis.call('HSET', 'jobs', pairs_of(nil, function() return record end))
            redis.call('ZADD', 'waiting', pairs_of('1766000000000', id_of))
            """, """
            local ids = redis.call('ZRANGEBYSCORE', 'waiting', '-inf', '+inf', 'LIMIT', 0, #ARGV - 1)
            redis.call('HMGET', 'jobs', unpack(ids))
            redis.call('HMGET', 'facts', unpack(ids))
            redis.call('ZADD', 'reserved', pairs_of('1766000000000', id_of))
            redis.call('ZREM', 'waiting', unpack(ids))
            redis.call('HSET', 'facts', pairs_of(nil, function() return facts end))
            """, """
            redis.call('HMGET', 'facts', each(id_of))
            redis.call('ZREM', 'reserved', each(id_of))
            redis.call('HDEL', 'facts', each(id_of))
            redis.call('HDEL', 'jobs', each(id_of))
            """);

    private static final List<String> OF_A_KEY = scripts("""
            redis.call('ZADD', 'keyed', pairs_of('1766000000000', id_of))
            redis.call('ZADD', 'lanes', pairs_of('0', entry_of))
            redis.call('ZADD', 'wakes', pairs_of('1766000000000', key_of))
            """, """
            redis.call('ZREM', 'wakes', each(key_of))
            redis.call('ZADD', 'turns', pairs_of('1000', key_of))
            each(function(id)
              local key = key_of(id)
              redis.call('ZRANGEBYLEX', 'lanes', '[' .. key .. '\\0', '(' .. key .. '\\1', 'LIMIT', 0, 2)
            end)
            redis.call('ZMSCORE', 'keyed', each(id_of))
            redis.call('ZREM', 'keyed', each(id_of))
            redis.call('ZREM', 'lanes', each(entry_of))
            redis.call('ZREM', 'turns', each(key_of))
            redis.call('ZADD', 'held', pairs_of('0', held_of))
            """, "redis.call('ZREM', 'held', each(held_of))");

    private KeySets() {}

    private static List<String> scripts(String... ends) {
        return List.of(ends).stream().map(end -> BEGIN + end).toList();
    }

    static void measure(Trial trial) {
        measure(trial, "every job", OF_EVERY_JOB, 0);
        for (int keys : List.of(Limited.SOME_KEYS, Limited.MANY_KEYS)) {
            measure(trial, "beyond that, keys=" + keys, OF_A_KEY, keys);
        }
    }

    private static void measure(Trial trial, String variant, List<String> scripts, int keys) {
        RedisStore redis = RedisStore.single();
        try (Rig rig = trial.rig(redis, List.of())) {
            Notebook book = trial.notebook(variant, rig);
            // The first round warms up.
            round(trial, redis, scripts, keys);
            for (int run = 0; run < trial.runs(); run++) {
                book.put("storeCpuSecondsPerMillion", round(trial, redis, scripts, keys));
            }
            trial.add(book);
        }
    }

    /** How long Redis takes for each job, µs. */
    private static double round(Trial trial, RedisStore redis, List<String> scripts, int keys) {
        int jobs = trial.size().burst();
        Meter before = redis.meter();
        for (String script : scripts) {
            for (int first = 0; first < jobs; first += BATCH) {
                List<String> ids = IntStream.range(first, Math.min(jobs, first + BATCH))
                        .mapToObj(number -> "job-" + number)
                        .toList();
                redis.eval(script, Integer.toString(keys), ids);
            }
        }
        return redis.meter().since(before).cpuSeconds() / jobs * 1e6;
    }
}
