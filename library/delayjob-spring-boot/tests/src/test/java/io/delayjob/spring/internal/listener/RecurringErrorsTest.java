package io.delayjob.spring.internal.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import io.delayjob.RecurringDelayJob;
import io.delayjob.Schedule;
import io.delayjob.engine.handler.DeclaredSchedule;
import io.delayjob.engine.handler.Handler;
import io.delayjob.spring.InvalidConfigurationException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Schedules that beans and listeners declare, and those that fail the start. */
class RecurringErrorsTest {

    static class Plain {
        @DelayJobListener(topic = "a", queue = "reports")
        @RecurringDelayJob(cron = "@daily", zone = "Europe/Berlin", jitter = "30s", overlap = Schedule.Overlap.ALLOW)
        void on() {}
    }

    static class NeverFires {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(cron = "0 0 0 30 2 *")
        void on() {}
    }

    static class Both {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(cron = "@daily", every = "1h")
        void on() {}
    }

    static class Neither {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(name = "nightly")
        void on() {}
    }

    static class TooOften {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(every = "900ms")
        void on() {}
    }

    static class NoZone {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(every = "1h", zone = "Europe/Atlantis")
        void on() {}
    }

    static class ShortWindow {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(every = "1h", window = "9s")
        void on() {}
    }

    static class TakesAPayload {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(every = "1h")
        void on(Order order) {}
    }

    static class NoListener {
        @RecurringDelayJob(every = "1h")
        void on() {}
    }

    static class One {
        @DelayJobListener(topic = "a")
        @RecurringDelayJob(name = "nightly", every = "1h")
        void on() {}
    }

    @RecurringDelayJob(name = "nightly", every = "1h")
    static class Other implements DelayJob<Void> {
        @Override
        public void execute(JobExecution<Void> execution) {}
    }

    private static List<Handler> find(Class<?>... beans) {
        try (TestBeans found = TestBeans.of(beans)) {
            return List.copyOf(found.jobs());
        }
    }

    private static void refused(String message, Class<?>... beans) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .as(Arrays.toString(beans))
                .isThrownBy(() -> find(beans))
                .withMessageContaining(message);
    }

    @Test
    void aListenerDeclaresAScheduleOfItsTopicAndQueue() {
        assertThat(find(Plain.class).get(0).recurring())
                .isEqualTo(new DeclaredSchedule(
                        Schedule.cron("a", "a", "@daily")
                                .withZone("Europe/Berlin")
                                .withQueue("reports")
                                .withJitter(Duration.ofSeconds(30))
                                .withOverlap(Schedule.Overlap.ALLOW),
                        true));
    }

    @Test
    void refusesInstantsThatCannotBe() {
        String place = "@RecurringDelayJob of listener 'a' (";
        refused(place + NeverFires.class.getName() + ".on): cron", NeverFires.class);
        refused("a schedule needs cron or every, and not both: '@daily', PT1H", Both.class);
        refused("a schedule needs cron or every, and not both", Neither.class);
        refused("every must be at least PT1S", TooOften.class);
        refused("zone 'Europe/Atlantis' is not known", NoZone.class);
        refused("window must be at least PT10S", ShortWindow.class);
    }

    @Test
    void refusesAMethodThatCannotRunWithoutAPayload() {
        refused("takes " + Order.class.getName(), TakesAPayload.class);
    }

    @Test
    void refusesAMethodThatIsNoListener() {
        refused("it is not a listener; add @DelayJobListener(topic = …) to the method", NoListener.class);
    }

    @Test
    void refusesTwoBeansOfOneName() {
        refused(
                "bean 'other' (" + Other.class.getName() + ") and listener 'a' (" + One.class.getName()
                        + ".on) of bean 'one' share the schedule 'nightly'; give each @RecurringDelayJob a name of its own",
                One.class,
                Other.class);
    }
}
