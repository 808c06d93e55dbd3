package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;

import io.delayjob.DelayJobProducer;
import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.redisson.internal.engine.DelayJobEngine;
import io.delayjob.redisson.internal.ledger.Backend;
import io.delayjob.spi.JobInterceptor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;

/** Interceptors surround submits and attempts in their order. */
class InterceptorBeansTest {

    private final List<String> steps = new ArrayList<>();
    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();
    private final InterceptorBeans interceptors = new InterceptorBeans(beans.getBeanProvider(JobInterceptor.class));

    /** Says when it is asked. */
    private final class Noting implements JobInterceptor, Ordered {

        private final String name;
        private final int order;

        Noting(String name, int order) {
            this.name = name;
            this.order = order;
        }

        @Override
        public int getOrder() {
            return order;
        }

        @Override
        public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
            return request.withHeader("by", request.headers().getOrDefault("by", "") + name);
        }

        @Override
        public void execute(JobExecution<?> execution, Attempt attempt) throws Exception {
            steps.add(name + " before");
            attempt.proceed();
            steps.add(name + " after");
        }
    }

    @Test
    void areAskedInTheirOrderTheFirstOutermost() throws Exception {
        beans.addBean("inner", new Noting("inner", 2));
        beans.addBean("outer", new Noting("outer", 1));
        assertThat(interceptors.submit(DelayJobRequest.toTopic("a", 1)).headers())
                .containsEntry("by", "outerinner");
        interceptors.execute(mock(), () -> steps.add("work"));
        assertThat(steps).containsExactly("outer before", "inner before", "work", "inner after", "outer after");
    }

    @Test
    void changeNothingWhereThereAreNone() throws Exception {
        DelayJobRequest<Integer> request = DelayJobRequest.toTopic("a", 1);
        assertThat(interceptors.submit(request)).isSameAs(request);
        interceptors.execute(mock(), () -> steps.add("work"));
        assertThat(steps).containsExactly("work");
    }

    /** Loses the request. */
    private static final class Losing implements JobInterceptor {

        @Override
        @SuppressWarnings({"unchecked", "NullAway"})
        public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
            return (@Nullable DelayJobRequest<T>) null;
        }

        @Override
        public String toString() {
            return "losing";
        }
    }

    @Test
    void mustReturnARequest() {
        beans.addBean("losing", new Losing());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> interceptors.submit(DelayJobRequest.toTopic("a", 1)))
                .withMessage("request of losing must not be null");
    }

    /** Needs what it is part of. */
    static final class Submitting implements JobInterceptor {

        Submitting(DelayJobProducer producer) {
            assertThat(producer).isNotNull();
        }
    }

    @Test
    void mayNeedTheProducer() {
        new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(JacksonAutoConfiguration.class, DelayJobAutoConfiguration.class))
                .withPropertyValues("delayjob.consume=false")
                .withBean(Backend.class, () -> Mockito.mock(Backend.class))
                .withBean(Submitting.class)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(DelayJobEngine.class));
    }
}
