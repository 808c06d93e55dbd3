package io.delayjob.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Configures an application context as {@link DelayJobTest} does, for a test that creates its context in another way, such as with
 * {@code @SpringBootTest} or {@code @SpringJUnitConfig}.
 *
 * <p>The context gets delayjob's beans with a ledger in memory, a {@link VirtualClock} and {@link SubmittedJobs}. Redisson's
 * auto-configuration is excluded, so that there is no {@code RedissonClient} and no connection. {@code delayjob.consume} is {@code
 * false}: only the clock runs jobs, those of the queues that a consuming node would run.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface AutoConfigureDelayJobTest {

    /**
     * When jobs run.
     *
     * @return the mode of the class's tests, unless {@link WithDelayJobMode} sets another
     */
    DelayJobMode mode() default DelayJobMode.MANUAL;
}
