package io.delayjob.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.delayjob.client");

    @Test
    void showsOnlyWhatAnApplicationUses() {
        assertThat(MAIN.stream()
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(type -> type.getSimpleName()))
                .containsExactlyInAnyOrder(
                        "HttpDelayJobSettings",
                        "HttpDelayJobProducer",
                        "HttpDelayJobSchedules",
                        "HttpDelayJobClaims",
                        "HttpDelayJobWorker",
                        "WorkerSettings",
                        "WorkerJob",
                        "JobHandler",
                        "DelayJobWorkerAutoConfiguration",
                        "DelayJobClientAutoConfiguration",
                        "DelayJobCallbackAutoConfiguration");
    }

    @Test
    void needsNothingButTheApiAndJackson() {
        classes()
                .that()
                .resideInAPackage("io.delayjob.client")
                .and()
                .doNotHaveSimpleName("AfterCommit")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayjob",
                        "io.delayjob.client",
                        "io.delayjob.support",
                        "tools.jackson..",
                        "com.fasterxml.jackson.annotation",
                        "java..",
                        "javax.net.ssl",
                        "org.jspecify.annotations")
                .check(MAIN);
    }

    /** The package of beans is exempt: it runs beans and listeners as the engine does. */
    @Test
    void knowsNeitherTheEngineNorRedis() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.delayjob.client.beans")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayjob.engine..", "io.delayjob.spring..", "io.delayjob.redisson..", "org.redisson..")
                .check(MAIN);
    }

    @Test
    void usesOnlyWhatOtherModulesMakePublic() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.delayjob..internal..")
                .check(MAIN);
    }

    /** It is the application's, and may have one thread. */
    @Test
    void nothingRunsInTheCommonPool() {
        noClasses()
                .should()
                .callMethodWhere(DescribedPredicate.describe(
                        "runs work in the common pool", call -> isInCommonPool(call.getTarget())))
                .check(MAIN);
    }

    private static boolean isInCommonPool(MethodCallTarget method) {
        boolean async = method.getName().endsWith("Async") || method.getName().equals("delayedExecutor");
        boolean executorGiven =
                method.getRawParameterTypes().stream().anyMatch(type -> type.isEquivalentTo(Executor.class));
        return method.getOwner().isEquivalentTo(CompletableFuture.class) && async && !executorGiven;
    }
}
