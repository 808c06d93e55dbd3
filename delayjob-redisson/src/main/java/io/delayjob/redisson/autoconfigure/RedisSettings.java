package io.delayjob.redisson.autoconfigure;

import io.delayjob.redisson.autoconfigure.DelayJobRedisProperties.Cluster;
import io.delayjob.redisson.autoconfigure.DelayJobRedisProperties.Sentinel;
import io.delayjob.redisson.autoconfigure.RedisPlace.Login;
import io.delayjob.redisson.autoconfigure.RedisPlace.Servers;
import io.delayjob.spring.InvalidConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/**
 * What the properties say of the Redis of the jobs: those of {@code delayjob.redis.*} if there are any, else those of
 * {@code spring.data.redis.*}, read here because an application without Spring Data has nobody else to read them.
 *
 * @param prefix which of the two
 * @param values what they say
 * @param masterReplica whether they name a master and its replicas one by one, which Redisson cannot use
 */
record RedisSettings(String prefix, DelayJobRedisProperties values, boolean masterReplica) {

    private static final String BOOTS = "spring.data.redis";
    private static final Bindable<DelayJobRedisProperties> VALUES = Bindable.of(DelayJobRedisProperties.class);

    static RedisSettings of(Environment environment) {
        Binder binder = Binder.get(environment);
        return binder.bind(DelayJobRedisProperties.PREFIX, VALUES)
                .map(values -> new RedisSettings(DelayJobRedisProperties.PREFIX, values, false))
                .orElseGet(() -> new RedisSettings(
                        BOOTS,
                        binder.bindOrCreate(BOOTS, VALUES),
                        binder.bind(BOOTS + ".masterreplica.nodes", Bindable.listOf(String.class))
                                .isBound()));
    }

    /** Redisson has no such list of servers; it would go to localhost. */
    static void refuseMasterReplica(boolean asked) {
        if (asked) {
            throw new InvalidConfigurationException(
                    "it cannot use " + BOOTS + ".masterreplica.*; set " + DelayJobRedisProperties.PREFIX
                            + ".* to a single server, sentinels or a cluster, or declare a RedissonClient bean",
                    null);
        }
    }

    /** Whether they are delayjob's own, so that nobody else is asked. */
    boolean ours() {
        return prefix.equals(DelayJobRedisProperties.PREFIX);
    }

    /** Where Redis is by the properties alone. */
    RedisPlace place(SslBundles bundles) {
        refuseMasterReplica(masterReplica);
        RedisUrl url = url();
        Login login = url == null
                ? new Login(values.username(), values.password())
                : new Login(url.username(), url.password());
        return new RedisPlace(servers(url), login, encrypted(), bundle(bundles));
    }

    /** Whether the properties ask for TLS. */
    boolean encrypted() {
        RedisUrl url = url();
        return values.ssl().asked() || (url != null && url.encrypted());
    }

    private @Nullable SslBundle bundle(SslBundles bundles) {
        String name = values.ssl().bundle();
        return name == null || name.isEmpty() || !values.ssl().asked() ? null : bundles.getBundle(name);
    }

    private @Nullable RedisUrl url() {
        return values.url() == null || values.url().isBlank() ? null : RedisUrl.of(prefix + ".url", values.url());
    }

    private Servers servers(@Nullable RedisUrl url) {
        int database = url == null ? values.database() : url.database(prefix + ".url");
        Sentinel sentinel = values.sentinel();
        if (sentinel != null) {
            return RedisPlace.sentinel(
                    needed(sentinel.master()),
                    sentinel.nodes(),
                    database,
                    new Login(sentinel.username(), sentinel.password()));
        }
        Cluster cluster = values.cluster();
        if (cluster != null) {
            return RedisPlace.cluster(cluster.nodes());
        }
        return RedisPlace.single(url == null ? values.host() + ":" + values.port() : url.node(), database);
    }

    private String needed(@Nullable String master) {
        if (master == null) {
            throw new InvalidConfigurationException(prefix + ".sentinel.* needs " + prefix + ".sentinel.master", null);
        }
        return master;
    }
}
