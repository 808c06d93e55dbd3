package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.boot.context.properties.bind.BindableRuntimeHintsRegistrar;

/** Keeps the scripts, and the classes that {@code delayjob.redis.*} is bound to, in a native image. */
final class ScriptHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/delayjob/redisson/lua/**");
        BindableRuntimeHintsRegistrar.forTypes(DelayJobRedisProperties.class).registerHints(hints);
    }
}
