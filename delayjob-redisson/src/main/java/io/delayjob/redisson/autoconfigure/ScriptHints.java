package io.delayjob.redisson.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Keeps the scripts, and the names of the properties, in a native image. */
final class ScriptHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("io/delayjob/redisson/lua/**");
        hints.resources().registerPattern(KnownProperties.METADATA);
    }
}
