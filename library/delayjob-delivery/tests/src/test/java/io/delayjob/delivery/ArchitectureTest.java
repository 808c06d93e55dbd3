package io.delayjob.delivery;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.delayjob.delivery");

    /** A transport needs no more than its own client besides. */
    @Test
    void whatTransportsImplementNeedsTheApiAlone() {
        classes()
                .that()
                .resideInAnyPackage("io.delayjob.delivery", "io.delayjob.delivery.spi")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.delayjob",
                        "io.delayjob.support",
                        "io.delayjob.delivery",
                        "io.delayjob.delivery.spi",
                        "java..",
                        "org.jspecify.annotations")
                .check(MAIN);
    }

    @Test
    void deliversByClaimsAndKnowsNothingOfTheEngineButItsRedisAndHowItIsSetUp() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.delayjob.delivery.autoconfigure")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("io.delayjob.engine..", "io.delayjob.spring..", "io.delayjob.redisson..")
                                .and(not(type(DelayJobRedis.class))))
                .check(MAIN);
    }

    @Test
    void springCloudIsNeededByItsOwnClassesAlone() {
        noClasses()
                .that()
                .haveSimpleNameNotEndingWith("Registry")
                .and()
                .haveSimpleNameNotEndingWith("RegistryScan")
                .and()
                .doNotHaveSimpleName("Services")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.springframework.cloud..")
                .check(MAIN);
    }
}
