package io.delayjob.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobListener;
import io.delayjob.DelayJobProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

/** A web application with a chain of Spring Security starts in a test, and its jobs run. */
@DelayJobTest(classes = SecuredApplicationTest.Shop.class)
class SecuredApplicationTest {

    @Autowired
    private DelayJobProducer producer;

    @Autowired
    private VirtualClock clock;

    @Autowired
    private Shop.Reminders reminders;

    /** The application. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shop {

        @Bean
        SecurityFilterChain chain(HttpSecurity http) {
            return http.authorizeHttpRequests(all -> all.anyRequest().authenticated())
                    .formLogin(Customizer.withDefaults())
                    .build();
        }

        @Bean
        Reminders reminders() {
            return new Reminders();
        }

        /** Counts the reminders that were sent. */
        static class Reminders {

            final List<String> sent = new ArrayList<>();

            @DelayJobListener(topic = "remind")
            void remind(String order) {
                sent.add(order);
            }
        }
    }

    @Test
    void runsItsJobs() {
        producer.submitDelayJob("remind", "order 42", Duration.ofHours(1));

        clock.advance(Duration.ofHours(1));

        assertThat(reminders.sent).containsExactly("order 42");
    }
}
