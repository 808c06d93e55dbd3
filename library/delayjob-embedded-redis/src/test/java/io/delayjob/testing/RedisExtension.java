package io.delayjob.testing;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Makes sure that {@link RedisServer#shared()} runs, and passes it to tests; see {@link RealRedis}. */
public final class RedisExtension implements BeforeAllCallback, ParameterResolver {
    /** For JUnit. */
    public RedisExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        RedisServer.shared();
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType().equals(RedisServer.class);
    }

    @Override
    public RedisServer resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return RedisServer.shared();
    }
}
