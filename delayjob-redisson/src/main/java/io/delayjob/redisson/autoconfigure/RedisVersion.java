package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.internal.redis.RedisBackend;
import io.delayjob.spring.InvalidConfigurationException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Refuses a Redis that is too old for the scripts, if it tells its version. */
final class RedisVersion {

    private static final Logger log = LoggerFactory.getLogger(RedisVersion.class);
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})(\\..*)?");
    private static final Duration TO_ANSWER = Duration.ofSeconds(3);

    private RedisVersion() {}

    /**
     * Asks every master.
     *
     * @throws InvalidConfigurationException if one says that it is too old
     */
    static void require(RedisBackend redis) {
        try {
            List<String> versions = redis.versions().get(TO_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            versions.stream().filter(RedisVersion::isTooOld).findFirst().ifPresent(version -> {
                throw new InvalidConfigurationException(refusal(version), null);
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("the version of Redis is unknown", e);
        }
    }

    static String refusal(String version) {
        return "Redis says that it is version " + version
                + ", and delayjob needs 6.2 or newer, or Valkey: its scripts use commands that this one does not have";
    }

    static boolean isTooOld(String version) {
        Matcher parts = VERSION.matcher(version);
        if (!parts.matches()) {
            return false;
        }
        int major = Integer.parseInt(parts.group(1));
        return major < 6 || (major == 6 && Integer.parseInt(parts.group(2)) < 2);
    }
}
