package io.delayjob.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.coexistence.guest.ClientConfiguration;
import io.delayjob.coexistence.guest.ReminderJob;
import io.delayjob.embedded.RedisCall;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An application without delayjob and the same one with it: nothing is different but what delayjob adds. */
@RealRedis
class CoexistenceIT {

    /** Of delayjob itself, of the JSON it needs, and of the test. */
    private static boolean isAdded(String line) {
        return line.matches(
                "bean (delay[jJ]ob|io\\.delayjob|reminderJob|.*[jJ]ackson|.*[jJ]son).*|health delayjob UP|job ran");
    }

    private final String queue = UUID.randomUUID().toString();

    private Host withDelayJob(List<String> jars, String... arguments) throws Exception {
        return Host.start(
                jars,
                Stream.concat(
                                Stream.of(
                                        "--spring.main.sources=" + ReminderJob.class.getName(),
                                        "--delayjob.default-queue=" + queue,
                                        "--delayjob.health.timeout=30s"),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static void assertSame(Host with, Host without) {
        assertThat(with.without(CoexistenceIT::isAdded))
                .containsExactlyElementsOf(without.without(CoexistenceIT::isAdded));
        assertThat(with.said("job")).containsExactly("job ran");
        assertThat(with.said("health")).contains("health delayjob UP");
    }

    @Test
    void leavesAnApplicationWithDataRedisAndItsCacheAsItIs() throws Exception {
        Host without = Host.start(Host.alone());
        assertThat(without.lines())
                .contains(
                        "caches with org.springframework.data.redis.cache.RedisCacheManager",
                        "cached true",
                        "health redis UP",
                        "bean redisConnectionFactory"
                                + " org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory");
        assertSame(withDelayJob(Host.withDelayJob()), without);
    }

    @Test
    void leavesAnApplicationWithCaffeineAsItIs() throws Exception {
        Host without = Host.start(Host.withoutDataRedis(Host.alone()));
        assertThat(without.lines())
                .contains("caches with org.springframework.cache.caffeine.CaffeineCacheManager", "cached true")
                .doesNotContain("health redis UP");
        assertSame(withDelayJob(Host.withoutDataRedis(Host.withDelayJob())), without);
    }

    @Test
    void sharesTheClientOfAnApplicationThatHasOne() throws Exception {
        String client = ClientConfiguration.class.getName();
        Host without = Host.start(Host.withDelayJob(), "--delayjob.enabled=false", "--spring.main.sources=" + client);
        assertThat(without.lines()).contains("bean locks org.redisson.Redisson");
        assertSame(withDelayJob(Host.withDelayJob(), "--spring.main.sources=" + client), without);
        assertThat(hasJobsIn(ClientConfiguration.DATABASE)).isTrue();
    }

    @Test
    void sharesTheClientOfRedissonsStarter() throws Exception {
        int database = ClientConfiguration.DATABASE + 1;
        String config = "--spring.redis.redisson.config={\"singleServerConfig\":{\"address\":\"%s\",\"database\":%d}}"
                .formatted(RedisServer.shared().url(), database);
        Host without = Host.start(Host.withStarter(), "--delayjob.enabled=false", config);
        assertThat(without.lines()).anyMatch(line -> line.startsWith("bean redisson org.redisson."));
        assertSame(withDelayJob(Host.withStarter(), config), without);
        assertThat(hasJobsIn(database)).isTrue();
    }

    /** Whether the queue is known in a database, and so was where its jobs are. */
    private boolean hasJobsIn(int database) throws IOException {
        String found = RedisCall.call(
                RedisServer.shared().url(),
                "EVAL",
                "redis.call('SELECT', ARGV[1]) return redis.call('ZSCORE', KEYS[1], ARGV[2]) and 'found' or 'missing'",
                "1",
                "delayjob:queues",
                Integer.toString(database),
                queue);
        return found.equals("found");
    }

    /** The page has a row for each kind of jars; a name that begins with a hyphen goes on from the one before. */
    @Test
    void thePageListsAndCountsTheJarsThatDelayjobBrings() throws IOException {
        String page = Files.readString(Path.of("../../docs/compatibility.md"));
        String table = page.substring(page.indexOf("| jars | used for |"), page.indexOf("That is "));
        List<List<String>> rows = table.lines()
                .filter(row -> row.startsWith("| `"))
                .map(row -> Pattern.compile("`([^`]+)`")
                        .matcher(row.substring(0, row.indexOf('|', 1)))
                        .results()
                        .map(name -> name.group(1))
                        .toList())
                .toList();
        int all = rows.stream().mapToInt(List::size).sum();
        String own = List.of("none", "one", "two", "three", "four", "five")
                .get(rows.get(0).size());
        assertThat(page).contains("That is " + all + " jars including delayjob's own " + own + ",");
        assertThat(Host.withDelayJob().stream()
                        .map(jar -> Pattern.compile("/(delayjob-(?!coexistence)[a-z-]+?)(-\\d[^/]*\\.jar|/target/.*)$")
                                .matcher(jar))
                        .filter(Matcher::find)
                        .map(jar -> jar.group(1)))
                .containsExactlyInAnyOrderElementsOf(rows.get(0).stream()
                        .map(name -> name.startsWith("-") ? "delayjob" + name : name)
                        .toList());
    }

    /** A nearer dependency of delayjob on Redisson would rob the starter of the default codec. */
    @Test
    void leavesRedissonsStarterAllThatItBrings() {
        assertThat(Host.withStarter())
                .anyMatch(jar -> jar.contains("/kryo-"))
                .anyMatch(jar -> jar.contains("/rxjava-"))
                .anyMatch(jar -> jar.contains("/cache-api-"));
    }

    @Test
    void bringsNothingThatIsNotSaid() {
        assertThat(Host.withDelayJob())
                .noneMatch(jar -> jar.matches(".*/(cache-api|kryo|rxjava|jodd-util|byte-buddy|redisson-spring)-.*"));
    }
}
