package io.delayjob.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.annotation.AliasFor;

/**
 * A test of an application, or of a part of it, that submits delayed jobs. It needs no Redis and never waits: jobs are kept in
 * memory and run when the test moves the {@link VirtualClock}, by the same engine as in production.
 *
 * <pre>{@code
 * @DelayJobTest
 * class OrdersTest {
 *     @Autowired Orders orders;
 *     @Autowired VirtualClock clock;
 *     @Autowired SubmittedJobs jobs;
 *
 *     @Test
 *     void closesAnUnpaidOrderAfterHalfAnHour() {
 *         orders.create("42");
 *         jobs.assertSubmitted(CloseOrderJob.class).withParam(new CloseOrder("42")).dueIn(Duration.ofMinutes(30));
 *         clock.advance(Duration.ofMinutes(30));
 *         assertThat(orders.find("42").isClosed()).isTrue();
 *     }
 * }
 * }</pre>
 *
 * <p>It combines {@link SpringBootTest}, whose web environment is a mock, and {@link AutoConfigureDelayJobTest}. A test that already
 * has {@code @SpringBootTest}, for example with a port, should add {@code @AutoConfigureDelayJobTest} instead: beside {@code
 * @SpringBootTest}, the {@code classes} and {@code properties} of this annotation are ignored. Before each test method the queues
 * and {@link SubmittedJobs} are emptied, no queue is paused, and the clock is reset; test methods that share an application context
 * cannot run at the same time.
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest
@AutoConfigureDelayJobTest
public @interface DelayJobTest {

    /**
     * The component classes of a test that loads only a part of the application: services, jobs, configurations. delayjob and
     * Jackson are configured in any case.
     *
     * @return the classes; empty to load the application, found as {@link SpringBootTest#classes} describes
     */
    @AliasFor(annotation = SpringBootTest.class)
    Class<?>[] classes() default {};

    /**
     * The properties of the test.
     *
     * @return as in {@link SpringBootTest#properties}: {@code name=value}
     */
    @AliasFor(annotation = SpringBootTest.class)
    String[] properties() default {};

    /**
     * When jobs run.
     *
     * @return the mode of the class's tests, unless {@link WithDelayJobMode} sets another
     */
    @AliasFor(annotation = AutoConfigureDelayJobTest.class)
    DelayJobMode mode() default DelayJobMode.MANUAL;
}
