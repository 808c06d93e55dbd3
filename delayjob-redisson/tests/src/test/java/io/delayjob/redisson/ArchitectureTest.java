package io.delayjob.redisson;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
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
    private static final String SPI = "io.delayjob.spi";
    private static final String SUPPORT = "io.delayjob.support";
    private static final String ENGINE = "io.delayjob.engine";
    private static final String LEDGER = "io.delayjob.engine.ledger";
    private static final String MEMORY = "io.delayjob.engine.memory";
    private static final String SPRING = "io.delayjob.spring";
    private static final String OBSERVATION = "io.delayjob.spring.observation";
    private static final String REDIS = "io.delayjob.redisson.internal.redis";
    private static final String REDIS_AUTOCONFIGURE = "io.delayjob.redisson.autoconfigure";
    private static final String[] OF_API = {API, SPI, SUPPORT, "java..", "org.jspecify.annotations"};

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("delayjob-embedded-redis"))
            .importPackages("io.delayjob");

    @Test
    void seesEveryModule() {
        assertThat(packages())
                .contains(API, SPI, SUPPORT, ENGINE, LEDGER, MEMORY, SPRING, OBSERVATION, REDIS, REDIS_AUTOCONFIGURE)
                .allMatch(
                        name -> name.matches("io\\.delayjob(\\.spi|\\.support|\\.(engine|spring|redisson)(\\..+)?)?"));
    }

    @Test
    void theApiKnowsNothingElse() {
        check(classes()
                .that()
                .resideInAnyPackage(API, SPI, SUPPORT)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(OF_API));
    }

    @Test
    void theLedgerKnowsNothingButTheApi() {
        check(classes()
                .that()
                .resideInAPackage(LEDGER)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(OF_API).or(resideInAnyPackage(LEDGER))));
    }

    @Test
    void theLedgerInMemoryKnowsNothingButTheLedgerAndTheApi() {
        check(classes()
                .that()
                .resideInAPackage(MEMORY)
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(OF_API).or(resideInAnyPackage(MEMORY, LEDGER))));
    }

    @Test
    void theEngineKnowsNeitherSpringNorRedisNorTheLedgerInMemory() {
        check(classes()
                .that(resideInAnyPackage(ENGINE + "..")
                        .and(resideInAnyPackage(MEMORY).negate()))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(OF_API)
                        .or(resideInAnyPackage(ENGINE + "..", "tools.jackson..", "org.slf4j"))
                        .and(resideInAnyPackage(MEMORY).negate())));
    }

    @Test
    void springKnowsNeitherRedisNorTheLedgerInMemory() {
        check(noClasses()
                .that()
                .resideInAPackage(SPRING + "..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(MEMORY, "io.delayjob.redisson..", "org.redisson.."));
    }

    @Test
    void redisKnowsOfTheEngineNothingButTheLedger() {
        check(noClasses()
                .that()
                .resideInAPackage(REDIS)
                .should()
                .dependOnClassesThat(resideInAnyPackage(ENGINE + "..", SPRING + "..")
                        .and(resideInAnyPackage(LEDGER).negate())));
    }

    @Test
    void redisNeedsNoSpring() {
        check(noClasses()
                .that()
                .resideInAPackage(REDIS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.."));
    }

    /** A module's packages with {@code internal} in their name are its own. */
    @Test
    void modulesUseOnlyWhatOthersMakePublic() {
        for (String module : List.of(ENGINE, SPRING, "io.delayjob.redisson")) {
            check(noClasses()
                    .that()
                    .resideOutsideOfPackage(module + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage(module + ".internal.."));
        }
    }

    @Test
    void onlyTheAutoconfigureAndMetricsPackagesKnowTheMetersOfMicrometer() {
        check(noClasses()
                .that(resideInAnyPackage(SPRING + ".autoconfigure", SPRING + ".internal.metrics")
                        .negate())
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.micrometer.core.."));
    }

    @Test
    void onlyTheAutoconfigureAndObservationPackagesKnowTracers() {
        check(noClasses()
                .that(resideInAnyPackage(SPRING + ".autoconfigure", SPRING + ".internal.observation")
                        .negate())
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
                .onlyDependOnClassesThat(resideInAnyPackage(OF_API)
                        .or(resideInAnyPackage(OBSERVATION, "io.micrometer.common..", "io.micrometer.observation.."))));
    }

    @Test
    void packagesAreFreeOfCycles() {
        check(slices().matching("io.delayjob.(engine|spring|redisson).(**)")
                .should()
                .beFreeOfCycles());
    }

    /** Each room may use those before it. */
    @Test
    void roomsOfTheEngineUseOneAnotherInOneDirection() {
        List<String> rooms = List.of(
                "records", "actors", "calls", "administering", "submitting", "running", "consuming", "claiming");
        for (int i = 0; i < rooms.size(); i++) {
            for (String later : rooms.subList(i + 1, rooms.size())) {
                check(noClasses()
                        .that()
                        .resideInAPackage(ENGINE + ".internal." + rooms.get(i))
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(ENGINE + ".internal." + later));
            }
        }
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
