package io.delayjob.modulith;

import io.delayjob.DelayJobRequest;
import io.delayjob.spi.JobInterceptor;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** A process that dies between the commit and the submit. Arguments: Redis, database, queue, order. */
final class DyingShop {

    static final int DEATH = 9;

    private DyingShop() {}

    /** Ends the JVM at the first submit. */
    @AutoConfiguration
    static class Dying {

        @Bean
        JobInterceptor dying() {
            return new JobInterceptor() {
                @Override
                public <T> DelayJobRequest<T> submit(DelayJobRequest<T> request) {
                    Runtime.getRuntime().halt(DEATH);
                    return request;
                }
            };
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ConfigurableApplicationContext shop =
                Shop.open(args[0], args[1], args[2], "spring.main.sources=" + Dying.class.getName());
        Shop.publish(shop, new OrderPlaced(args[3], Duration.ZERO));
        Thread.sleep(Duration.ofMinutes(1).toMillis());
    }
}
