package io.delayjob.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * What {@link DelayJobTest} does to an application context, for a test that has its own way of making one: beside
 * {@code @SpringBootTest} or {@code @SpringJUnitConfig}.
 *
 * <p>The context gets delayjob's beans on a ledger in memory, a {@link VirtualClock} and {@link SubmittedJobs}. Redisson's
 * auto-configuration is left out of it, so that there is no {@code RedissonClient} and no connection. {@code delayjob.consume} is
 * {@code false}: only the clock runs jobs, those of the queues that a node which consumes would run.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface AutoConfigureDelayJobTest {

    /**
     * When jobs are run.
     *
     * @return the mode of the class's tests, unless {@link WithDelayJobMode} says otherwise
     */
    DelayJobMode mode() default DelayJobMode.MANUAL;
}
