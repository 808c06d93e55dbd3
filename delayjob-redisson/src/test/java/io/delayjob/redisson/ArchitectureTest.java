package io.delayjob.redisson;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the layout, one test each. */
class ArchitectureTest {

    private static final String API = "io.delayjob";
    private static final String API_INTERNAL = "io.delayjob.internal";
    private static final String SPI = "io.delayjob.spi";
    private static final String AUTOCONFIGURE = "io.delayjob.redisson.autoconfigure";
    private static final String ENGINE = "io.delayjob.redisson.internal.engine";
    private static final String LEDGER = "io.delayjob.redisson.internal.ledger";
    private static final String LISTENER = "io.delayjob.redisson.internal.listener";
    private static final String MEMORY = "io.delayjob.redisson.internal.memory";
    private static final String METRICS = "io.delayjob.redisson.internal.metrics";
    private static final String OBSERVATION = "io.delayjob.redisson.observation";
    private static final String OBSERVING = "io.delayjob.redisson.internal.observation";
    private static final String REDIS = "io.delayjob.redisson.internal.redis";
    private static final String SPRING = "org.springframework..";
    private static final String REDISSON = "org.redisson..";
    private static final String MICROMETER = "io.micrometer.core..";
    private static final String JACKSON = "tools.jackson..";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("delayjob-embedded-redis"))
            .importPackages("io.delayjob");

    @Test
    void seesEveryPackageThatTheRulesNameAndNoOther() {
        assertThat(packages())
                .containsExactlyInAnyOrder(
                        API,
                        API_INTERNAL,
                        SPI,
                        AUTOCONFIGURE,
                        LISTENER,
                        ENGINE,
                        LEDGER,
                        MEMORY,
                        METRICS,
                        OBSERVATION,
                        OBSERVING,
                        REDIS);
    }

    @Test
    void theApiKnowsNeitherSpringNorRedissonNorJackson() {
        check(classes()
                .that()
                .resideInAnyPackage(API, SPI, API_INTERNAL)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(API, SPI, API_INTERNAL, "java..", "org.jspecify.annotations"));
    }

    @Test
    void theLedgerKnowsNothingButTheApi() {
        check(classes()
                .that()
                .resideInAPackage(LEDGER)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(LEDGER, API, SPI, API_INTERNAL, "java..", "org.jspecify.annotations"));
    }

    @Test
    void theMemoryKnowsNothingButTheLedgerAndTheApi() {
        check(classes()
                .that()
                .resideInAPackage(MEMORY)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(MEMORY, LEDGER, API, API_INTERNAL, "java..", "org.jspecify.annotations"));
    }

    @Test
    void theEngineKnowsNeitherSpringNorRedisson() {
        check(classes()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        ENGINE,
                        LEDGER,
                        API,
                        SPI,
                        API_INTERNAL,
                        JACKSON,
                        "java..",
                        "org.slf4j",
                        "org.jspecify.annotations"));
    }

    @Test
    void theLedgerInMemoryKnowsNothingButTheLedgerAndTheApi() {
        check(classes()
                .that()
                .resideInAPackage(MEMORY)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(MEMORY, LEDGER, API, SPI, API_INTERNAL, "java..", "org.jspecify.annotations"));
    }

    @Test
    void onlyTheRedisAndAutoconfigurePackagesKnowRedisson() {
        check(noClasses()
                .that(resideInAnyPackage(REDIS, AUTOCONFIGURE).negate())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(REDISSON));
    }

    @Test
    void onlyTheAutoconfigureAndListenerPackagesKnowSpring() {
        check(noClasses()
                .that(resideInAnyPackage(AUTOCONFIGURE, LISTENER).negate())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SPRING));
    }

    @Test
    void onlyTheAutoconfigureAndMetricsPackagesKnowTheMetersOfMicrometer() {
        check(noClasses()
                .that(resideInAnyPackage(AUTOCONFIGURE, METRICS).negate())
                .should()
                .dependOnClassesThat()
                .resideInAPackage(MICROMETER));
    }

    @Test
    void onlyTheObservingAndAutoconfigurePackagesKnowTracers() {
        check(noClasses()
                .that(resideInAnyPackage(AUTOCONFIGURE, OBSERVING).negate())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer.tracing.."));
    }

    @Test
    void whatApplicationsSayAboutObservationsKnowsNothingButTheApiAndObservations() {
        check(classes()
                .that()
                .resideInAPackage(OBSERVATION)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        OBSERVATION,
                        API,
                        "io.micrometer.common..",
                        "io.micrometer.observation..",
                        "java..",
                        "org.jspecify.annotations"));
    }

    @Test
    void dependenciesPointFromAutoconfigureDownToTheApi() {
        check(layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("autoconfigure")
                .definedBy(AUTOCONFIGURE)
                .layer("listener")
                .definedBy(LISTENER)
                .layer("metrics")
                .definedBy(METRICS)
                .layer("engine")
                .definedBy(ENGINE)
                .layer("redis")
                .definedBy(REDIS)
                .layer("memory")
                .definedBy(MEMORY)
                .layer("ledger")
                .definedBy(LEDGER)
                .layer("api")
                .definedBy(API, SPI, API_INTERNAL)
                .whereLayer("autoconfigure")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("listener")
                .mayOnlyBeAccessedByLayers("autoconfigure")
                .whereLayer("metrics")
                .mayOnlyBeAccessedByLayers("autoconfigure")
                .whereLayer("engine")
                .mayOnlyBeAccessedByLayers("autoconfigure", "listener", "metrics")
                .whereLayer("redis")
                .mayOnlyBeAccessedByLayers("autoconfigure")
                .whereLayer("memory")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("ledger")
                .mayOnlyBeAccessedByLayers("autoconfigure", "engine", "redis", "memory", "metrics")
                .whereLayer("api")
                .mayNotAccessAnyLayer());
    }

    @Test
    void packagesOfTheEngineModuleAreFreeOfCycles() {
        check(slices().matching("io.delayjob.redisson.(**)").should().beFreeOfCycles());
    }

    @Test
    void onlyTheDoorbellKnowsTheDeprecatedDelayedQueue() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(REDIS + ".RedissonDoorbell")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("org.redisson.api.RDelayedQueue"));
    }

    /** It is the application's, and may have one thread: from JDK 25 on, also {@link CompletableFuture} uses it then. */
    @Test
    void nothingRunsInTheCommonPool() {
        check(noClasses()
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "runs work in the common pool", call -> isInCommonPool(call.getTarget()))));
    }

    private static boolean isInCommonPool(MethodCallTarget method) {
        boolean async = method.getName().endsWith("Async") || method.getName().equals("delayedExecutor");
        boolean executorGiven =
                method.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
        return (method.getOwner().isEquivalentTo(CompletableFuture.class) && async && !executorGiven)
                || method.getOwner().isEquivalentTo(ForkJoinPool.class)
                || method.getName().equals("parallelStream");
    }

    @Test
    void luaIsReachedThroughOneClass() {
        check(noClasses()
                .that()
                .doNotHaveFullyQualifiedName(REDIS + ".Scripts")
                .should()
                .dependOnClassesThat(JavaClass.Predicates.assignableTo("org.redisson.api.RScript"))
                .orShould()
                .dependOnClassesThat(JavaClass.Predicates.assignableTo("org.redisson.api.RScriptAsync")));
    }

    @Test
    void everyPackageIsNullMarked() {
        Set<String> marked = CLASSES.stream()
                .filter(type -> type.getSimpleName().equals("package-info"))
                .filter(type -> type.isAnnotatedWith(NullMarked.class))
                .map(JavaClass::getPackageName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(marked).isEqualTo(packages());
    }

    private static Set<String> packages() {
        return CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new));
    }

    private static void check(ArchRule rule) {
        rule.check(CLASSES);
    }
}
