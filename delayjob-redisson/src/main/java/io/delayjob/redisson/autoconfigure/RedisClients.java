package io.delayjob.redisson.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import io.delayjob.spring.autoconfigure.DelayJobProperties;
import java.util.Arrays;
import java.util.Collection;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;

/**
 * Chooses the Redisson client, in this order: the bean that {@code delayjob.redisson-client} names; a client that delayjob creates
 * for {@code delayjob.redis.*}; the only or primary client bean; a client that delayjob creates for the Redis of Spring Boot's own
 * clients.
 */
record RedisClients(
        DelayJobProperties properties,
        Environment environment,
        ConfigurableListableBeanFactory beans,
        ObjectProvider<RedissonClient> candidates,
        ObjectProvider<ServicePlace> services,
        ObjectProvider<SslBundles> bundles) {

    DelayJobRedis choose() {
        RedisSettings settings = RedisSettings.of(environment);
        String name = properties.redissonClient();
        if (name != null) {
            return new DelayJobRedis(named(name, settings), properties.keyPrefix(), false);
        }
        RedissonClient bean = settings.ours() ? null : onlyBean();
        return bean == null
                ? new DelayJobRedis(open(settings), properties.keyPrefix(), true)
                : new DelayJobRedis(bean, properties.keyPrefix(), false);
    }

    private RedissonClient named(String name, RedisSettings settings) {
        if (settings.ours()) {
            throw new InvalidConfigurationException(
                    "delayjob.redisson-client and delayjob.redis.* both say which Redis to use; set one of them", null);
        }
        if (!beans.containsBean(name) || !beans.isTypeMatch(name, RedissonClient.class)) {
            throw new InvalidConfigurationException(
                    "delayjob.redisson-client: no RedissonClient bean is named '" + name + "'; there are " + names(),
                    null);
        }
        beans.registerDependentBean(name, DelayJobRedisAutoConfiguration.CLIENT);
        return beans.getBean(name, RedissonClient.class);
    }

    private Collection<String> names() {
        return Arrays.asList(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedissonClient.class, true, false));
    }

    private @Nullable RedissonClient onlyBean() {
        try {
            return candidates.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException e) {
            Collection<String> names = e.getBeanNamesFound() == null ? names() : new TreeSet<>(e.getBeanNamesFound());
            throw new InvalidConfigurationException(
                    "there are several RedissonClient beans, " + names
                            + ", and none is primary; let delayjob.redisson-client name one, mark one @Primary, or set"
                            + " delayjob.redis.* for a client of its own",
                    e);
        }
    }

    private RedissonClient open(RedisSettings settings) {
        Config config = place(settings).config(settings.values());
        // The default codec needs Kryo; every call of delayjob names its own codec anyway.
        config.setCodec(DelayJobRedis.TEXT);
        config.setLazyInitialization(!properties.failFast());
        return Redisson.create(config);
    }

    private RedisPlace place(RedisSettings settings) {
        ServicePlace service = settings.ours() ? null : services.getIfAvailable();
        RedisPlace found = service == null ? null : service.find(settings.encryptedUrl());
        return found == null ? settings.place(bundles.getIfAvailable(DefaultSslBundleRegistry::new)) : found;
    }
}
