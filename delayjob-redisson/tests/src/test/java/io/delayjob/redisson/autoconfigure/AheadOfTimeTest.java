package io.delayjob.redisson.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.delayjob.DelayJob;
import io.delayjob.DelayJobListener;
import io.delayjob.JobExecution;
import io.delayjob.JobOptions;
import io.delayjob.Limits;
import io.delayjob.engine.ledger.Backend;
import io.delayjob.spring.autoconfigure.DelayJobAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobEndpointAutoConfiguration;
import io.delayjob.spring.autoconfigure.DelayJobHealthAutoConfiguration;
import io.delayjob.spring.autoconfigure.EndpointDescriptors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Code and hints generated ahead of time for an application. A test of the demo shows that they run. */
class AheadOfTimeTest {

    private static final Path SCRIPTS = Path.of("../src/main/resources");

    /** Is in an order. */
    record Line(String article, int count) {}

    /** The param of a class. */
    record Order(String id, List<Line> lines, Instant at) {}

    /** The payload of a listener. */
    record Reminder(String order) {}

    /** The payload of another listener. */
    record Receipt(String order) {}

    /** Does nothing. */
    static class OrderJob implements DelayJob<Order> {

        @Override
        public void execute(JobExecution<Order> execution) {}
    }

    /** Hears of two kinds of jobs. */
    static class Ear {

        @DelayJobListener(topic = "reminder")
        void remind(Reminder reminder) {}

        @DelayJobListener(topic = "receipt")
        @SuppressWarnings({"UnusedMethod", "UnusedVariable"})
        private void mail(JobExecution<Receipt> execution) {}

        void other() {}
    }

    /** An application. */
    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        Backend backend() {
            return mock(Backend.class);
        }

        @Bean
        OrderJob orderJob() {
            return new OrderJob();
        }

        @Bean
        Ear ear() {
            return new Ear();
        }
    }

    private final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

    private RuntimeHints hints() {
        DefaultGenerationContext generation =
                new DefaultGenerationContext(new ClassNameGenerator(ClassName.get(App.class)), files);
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            TestPropertyValues.of("management.endpoints.web.exposure.include=*", "spring.jmx.enabled=true")
                    .applyTo(context);
            context.register(
                    App.class,
                    JacksonAutoConfiguration.class,
                    DelayJobRedisAutoConfiguration.class,
                    DelayJobAutoConfiguration.class,
                    DelayJobHealthAutoConfiguration.class,
                    DelayJobEndpointAutoConfiguration.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
            generation.writeGeneratedContent();
        }
        return generation.getRuntimeHints();
    }

    @Test
    void makesTheBeansByGeneratedCode() {
        hints();
        assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
                .anyMatch(name -> name.endsWith("EngineConfiguration__BeanDefinitions.java"))
                .anyMatch(name -> name.endsWith("DelayJobHealthAutoConfiguration__BeanDefinitions.java"))
                .anyMatch(name -> name.endsWith("DelayJobEndpointAutoConfiguration__BeanDefinitions.java"));
    }

    @Test
    void keepsEveryScript() throws IOException {
        RuntimeHints hints = hints();
        try (Stream<Path> scripts = Files.walk(SCRIPTS)) {
            assertThat(scripts.filter(file -> file.toString().endsWith(".lua")))
                    .hasSizeGreaterThan(30)
                    .allMatch(file -> RuntimeHintsPredicates.resource()
                            .forResource(SCRIPTS.relativize(file).toString().replace('\\', '/'))
                            .test(hints));
        }
    }

    @Test
    void keepsWhatParamsAreBoundTo() {
        RuntimeHints hints = hints();
        assertThat(List.of(Order.class, Line.class, Reminder.class, Receipt.class))
                .allMatch(type -> RuntimeHintsPredicates.reflection()
                        .onType(type)
                        .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
                        .test(hints));
    }

    @Test
    void keepsTheMethodsOfListenersAndNoOther() throws NoSuchMethodException {
        RuntimeHints hints = hints();
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Ear.class.getDeclaredMethod("remind", Reminder.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection()
                        .onMethodInvocation(Ear.class.getDeclaredMethod("mail", JobExecution.class)))
                .accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(Ear.class.getDeclaredMethod("other")))
                .rejects(hints);
    }

    @Test
    void keepsWhatTheEndpointAnswers() {
        RuntimeHints hints = hints();
        assertThat(List.of(
                        EndpointDescriptors.NodeDescriptor.class,
                        EndpointDescriptors.QueueDescriptor.class,
                        EndpointDescriptors.HereDescriptor.class,
                        EndpointDescriptors.FleetDescriptor.class,
                        EndpointDescriptors.LimitsDescriptor.class,
                        EndpointDescriptors.KeyLimitsDescriptor.class,
                        Limits.Rate.class,
                        EndpointDescriptors.KeysDescriptor.class,
                        EndpointDescriptors.PageDescriptor.class,
                        EndpointDescriptors.JobDescriptor.class,
                        JobOptions.class,
                        EndpointDescriptors.ErrorDescriptor.class,
                        EndpointDescriptors.ExplanationDescriptor.class,
                        EndpointDescriptors.QueueActionDescriptor.class,
                        EndpointDescriptors.JobActionDescriptor.class))
                .allMatch(
                        type -> RuntimeHintsPredicates.reflection().onType(type).test(hints));
    }
}
