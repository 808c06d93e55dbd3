package io.delayjob.engine.extension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.DelayJobRequest;
import io.delayjob.JobExecution;
import io.delayjob.spi.JobInterceptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

class InterceptorsTest {

    private final List<String> steps = new ArrayList<>();
    private final JobExecution<?> execution = Mockito.mock(JobExecution.class);

    /** Notes when it was there. */
    private final class Noting implements JobInterceptor {

        private final String name;

        Noting(String name) {
            this.name = name;
        }

        @Override
        public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
            return request.withHeader("by", request.headers().getOrDefault("by", "") + name);
        }

        @Override
        public void execute(JobExecution<?> attempted, Attempt attempt) throws Exception {
            steps.add(name + " before");
            try {
                attempt.proceed();
            } finally {
                steps.add(name + " after");
            }
        }
    }

    @Test
    void surroundTheWorkTheFirstOutermost() throws Exception {
        new Interceptors(() -> List.of(new Noting("a"), new Noting("b"))).execute(execution, () -> steps.add("work"));
        assertThat(steps).containsExactly("a before", "b before", "work", "b after", "a after");
    }

    @Test
    void proceedOnce() {
        JobInterceptor twice = new JobInterceptor() {
            @Override
            public void execute(JobExecution<?> attempted, Attempt attempt) throws Exception {
                attempt.proceed();
                attempt.proceed();
            }
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> new Interceptors(() -> List.of(twice)).execute(execution, () -> steps.add("work")))
                .withMessageStartingWith("an interceptor called proceed() twice");
        assertThat(steps).containsExactly("work");
    }

    @Test
    void letThroughWhatTheWorkThrows() {
        assertThatThrownBy(() -> new Interceptors(() -> List.of(new Noting("a"))).execute(execution, () -> {
                    throw new IOException("disk");
                }))
                .hasMessage("disk");
        assertThat(steps).containsExactly("a before", "a after");
    }

    @Test
    void changeTheRequestOneAfterTheOther() {
        DelayJobRequest<String> request = new Interceptors(() -> List.of(new Noting("a"), new Noting("b")))
                .submit(DelayJobRequest.toTopic("greet", "world"));
        assertThat(request.headers()).containsEntry("by", "ab");
    }

    @Test
    void mustReturnARequest() {
        JobInterceptor losing = Mockito.mock(JobInterceptor.class, "losing");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Interceptors(() -> List.of(losing)).submit(DelayJobRequest.toTopic("greet", "world")))
                .withMessage("the request that losing returns must not be null");
    }
}
