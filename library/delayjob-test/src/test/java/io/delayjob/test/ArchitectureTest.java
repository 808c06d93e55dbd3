package io.delayjob.test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.delayjob.test");

    @Test
    void showsOnlyWhatATestUses() {
        assertThat(MAIN.stream()
                        .filter(type ->
                                type.isTopLevelClass() && type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(type -> type.getSimpleName()))
                .containsExactlyInAnyOrder(
                        "DelayJobTest",
                        "AutoConfigureDelayJobTest",
                        "WithDelayJobMode",
                        "DelayJobMode",
                        "VirtualClock",
                        "SubmittedJobs",
                        "SubmittedJob",
                        "SubmittedJobsAssert",
                        "AttemptsAssert");
    }

    @Test
    void isOnePackage() {
        classes().should().resideInAPackage("io.delayjob.test").check(MAIN);
    }

    @Test
    void usesOnlyWhatOtherModulesMakePublic() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.delayjob.redisson..", "io.delayjob..internal..")
                .check(MAIN);
    }

    @Test
    void asksNeitherRedissonNorATestFrameworkOfTheUsers() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.redisson..", "org.junit..", "org.assertj..", "org.mockito..")
                .check(MAIN);
    }

    @Test
    void needsTransactionsOnlyWhereTheApplicationHasThem() {
        noClasses()
                .that()
                .doNotHaveSimpleName("InlineAfterCommit")
                .and()
                .doNotHaveSimpleName("TestJournal")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.springframework.transaction..", "org.springframework.jdbc..")
                .check(MAIN);
    }
}
