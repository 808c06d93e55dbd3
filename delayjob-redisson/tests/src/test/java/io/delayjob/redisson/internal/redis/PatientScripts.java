package io.delayjob.redisson.internal.redis;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;

/** Lets scripts wait longer for their answers than nodes do: a machine that stands still must fail no test of what a script does. */
final class PatientScripts {

    private static final Duration LONG = Duration.ofMinutes(2);

    private PatientScripts() {}

    /** The same client, but for the timeouts that its user states for scripts. */
    static RedissonClient of(RedissonClient client) {
        return (RedissonClient) Proxy.newProxyInstance(
                RedissonClient.class.getClassLoader(), new Class<?>[] {RedissonClient.class}, (proxy, method, args) -> {
                    if (args != null && args.length == 1 && args[0] instanceof OptionalOptions options) {
                        options.timeout(LONG);
                    }
                    try {
                        return method.invoke(client, args);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                });
    }
}
