package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobProducer;
import io.delayjob.NodeSnapshot;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.RedisServer;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.DefaultResourceLoader;

/** Several application contexts in one JVM, beside each other and one after the other. */
@Tag("proof")
@RealRedis
@ExtendWith(OutputCaptureExtension.class)
class SeveralContextsIT {

    private final String queue = TestApplication.queue();

    /** An application with one job. */
    @Configuration(proxyBeanMethods = false)
    @Import(ParcelJob.class)
    static class App {}

    private ConfigurableApplicationContext start(String... properties) {
        return TestApplication.start(App.class, queue, properties);
    }

    private static void submit(ConfigurableApplicationContext app, String text) {
        app.getBean(DelayJobProducer.class).submitDelayJob(ParcelJob.class, new Parcel(text, 1), Duration.ZERO);
    }

    @Test
    void areNodesOfTheirOwn() {
        try (ConfigurableApplicationContext stays = start()) {
            try (ConfigurableApplicationContext goes = start()) {
                await().untilAsserted(() -> assertThat(
                                goes.getBean(DelayJobAdmin.class).nodes(queue))
                        .hasSize(2));
            }
            submit(stays, "still");
            stays.getBean(Inbox.class).awaitExactly(new Parcel("still", 1));
        }
    }

    @Test
    void cannotBeTheSameNodeAtOnce(CapturedOutput output) {
        String node = "delayjob.node=" + queue;
        try (ConfigurableApplicationContext first = start(node)) {
            assertThat(catchThrowable(() -> start(node))).isNotNull();
            assertThat(output)
                    .contains("APPLICATION FAILED TO START")
                    .contains(
                            "delayjob.node must be unique in the fleet: another application context of this JVM runs as '"
                                    + queue + "'");
            submit(first, "unharmed");
            first.getBean(Inbox.class).awaitExactly(new Parcel("unharmed", 1));
            // A node may run its first job before it has said that it is there.
            await().untilAsserted(
                            () -> assertThat(first.getBean(DelayJobAdmin.class).nodes(queue))
                                    .extracting(NodeSnapshot::node)
                                    .containsExactly(queue));
            // Neither does a submitter run jobs, nor is a fleet with another prefix the same.
            start(node, "delayjob.consume=false").close();
            start(node, "delayjob.key-prefix=" + queue).close();
        }
    }

    @Test
    void canBeTheSameNodeOneAfterTheOther() {
        for (int i = 0; i < 3; i++) {
            try (ConfigurableApplicationContext app = start("delayjob.node=" + queue)) {
                submit(app, "round " + i);
                app.getBean(Inbox.class).awaitExactly(new Parcel("round " + i, 1));
            }
        }
    }

    /** Has classes of its own for those of the tests, as devtools has after a restart. */
    private static final class Restarted extends URLClassLoader {

        private Restarted() {
            super(
                    new URL[] {
                        SeveralContextsIT.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                    },
                    SeveralContextsIT.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known == null && name.startsWith(SeveralContextsIT.class.getPackageName())) {
                    try {
                        known = findClass(name);
                    } catch (ClassNotFoundException e) {
                        // one of delayjob itself
                    }
                }
                return known == null ? super.loadClass(name, resolve) : known;
            }
        }
    }

    @Test
    void runJobsOfEarlierClassesOnTheirNewClasses() throws Exception {
        String id;
        try (ConfigurableApplicationContext before = start()) {
            id = before.getBean(DelayJobProducer.class)
                    .submitDelayJob(ParcelJob.class, new Parcel("kept", 1), Duration.ofHours(1));
        }
        try (Restarted classes = new Restarted();
                ConfigurableApplicationContext after = start(classes)) {
            Class<?> job = classes.loadClass(ParcelJob.class.getName());
            assertThat(job).isNotEqualTo(ParcelJob.class);
            assertThat(after.getBeanNamesForType(ParcelJob.class)).isEmpty();
            assertThat(after.getBeanNamesForType(job)).hasSize(1);
            after.getBean(DelayJobAdmin.class).runNow(queue, id);
            Object inbox = after.getBean(classes.loadClass(Inbox.class.getName()));
            Field seen = inbox.getClass().getDeclaredField("seen");
            seen.setAccessible(true);
            Collection<?> parcels = (Collection<?>) seen.get(inbox);
            await().until(() -> !parcels.isEmpty());
            assertThat(parcels.iterator().next().getClass().getClassLoader()).isSameAs(classes);
        }
    }

    private ConfigurableApplicationContext start(ClassLoader classes) throws ClassNotFoundException {
        SpringApplication application = new SpringApplication(
                new DefaultResourceLoader(classes),
                classes.loadClass(TestApplication.Base.class.getName()),
                classes.loadClass(App.class.getName()));
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setRegisterShutdownHook(false);
        return application.run(
                "--spring.data.redis.url=" + RedisServer.shared().url(), "--delayjob.default-queue=" + queue);
    }

    @Test
    void leaveNoThreadBehindWhenTheyAreClosed() {
        Set<Thread> before = threads();
        try (ConfigurableApplicationContext app = start()) {
            submit(app, "once");
            app.getBean(Inbox.class).awaitExactly(new Parcel("once", 1));
            assertThat(threads()).anyMatch(thread -> thread.getName().startsWith("delayjob-" + queue));
        }
        await().untilAsserted(() -> assertThat(threads()).isSubsetOf(before));
    }

    /** Threads of delayjob and of Redisson; not the JVM's own, which come and go. */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("delayjob-")
                        || thread.getName().startsWith("redisson-"))
                .collect(Collectors.toSet());
    }
}
