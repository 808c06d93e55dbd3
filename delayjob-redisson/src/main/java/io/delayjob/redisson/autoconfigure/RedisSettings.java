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
 * The properties of the Redis that stores the jobs: {@code delayjob.redis.*} if any is set, else {@code spring.data.redis.*}, which
 * are read here because an application without Spring Data does not bind them.
 *
 * @param prefix the prefix of these properties
 * @param values the values of the properties
 * @param masterReplica whether the properties list a master and its replicas one by one, which delayjob does not support
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

    /** Refuses a list of a master and its replicas: it would be ignored, and Redisson would connect to localhost. */
    static void refuseMasterReplica(boolean asked) {
        if (asked) {
            throw new InvalidConfigurationException(
                    "it cannot use " + BOOTS + ".masterreplica.*; set " + DelayJobRedisProperties.PREFIX
                            + ".* to a single server, sentinels or a cluster, or declare a RedissonClient bean",
                    null);
        }
    }

    /** Whether these are {@code delayjob.redis.*}, which take precedence over everything else. */
    boolean ours() {
        return prefix.equals(DelayJobRedisProperties.PREFIX);
    }

    /** Where Redis is, by the properties alone. */
    RedisPlace place(SslBundles bundles) {
        refuseMasterReplica(masterReplica);
        RedisUrl url = url();
        Login login = url == null
                ? new Login(values.username(), values.password())
                : new Login(url.username(), url.password());
        return new RedisPlace(servers(url), login, values.ssl().asked() || encryptedUrl(), bundle(bundles));
    }

    /** Whether the URL asks for TLS. */
    boolean encryptedUrl() {
        RedisUrl url = url();
        return url != null && url.encrypted();
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
