package io.delayjob.testing;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs the tests of a class against the JVM's shared Redis; a parameter of type {@link RedisServer} receives it.
 *
 * <p>The server may hold other tests' keys: use names of your own, never FLUSHALL. Without any server the tests fail.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(RedisExtension.class)
public @interface RealRedis {}
