package io.delayjob.server.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The layout of all modules that the program is made of. */
class ArchitectureTest {

    private static final Pattern MODULE = Pattern.compile(".*/(delayjob-[a-z-]+?)(-\\d[^/]*)?/.*");

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.delayjob");

    private static final ArchCondition<JavaClass> USE_NO_INTERNAL_PACKAGE_OF_ANOTHER_MODULE =
            new ArchCondition<>("use no internal package of another module") {
                @Override
                public void check(JavaClass type, ConditionEvents events) {
                    type.getDirectDependenciesFromSelf().stream()
                            .filter(use -> isInternal(use.getTargetClass()))
                            .filter(use -> !moduleOf(use.getTargetClass()).equals(moduleOf(type)))
                            .forEach(use -> events.add(SimpleConditionEvent.violated(use, use.getDescription())));
                }
            };

    private static boolean isInternal(JavaClass type) {
        String name = type.getBaseComponentType().getPackageName();
        return name.startsWith("io.delayjob.") && (name + ".").contains(".internal.");
    }

    /** The module that a class comes from: the folder or the jar of its class file. */
    private static String moduleOf(JavaClass type) {
        String place =
                type.getBaseComponentType().getSource().orElseThrow().getUri().toString();
        Matcher matcher = MODULE.matcher(place);
        return matcher.matches() ? matcher.group(1) : place;
    }

    @Test
    void seesTheModulesOfTheProgram() {
        assertThat(MAIN.stream().map(ArchitectureTest::moduleOf).distinct())
                .containsExactlyInAnyOrder(
                        "delayjob-api",
                        "delayjob-engine",
                        "delayjob-spring-boot",
                        "delayjob-embedded-redis",
                        "delayjob-redisson",
                        "delayjob-journal",
                        "delayjob-delivery",
                        "delayjob-server-starter",
                        "delayjob-console",
                        "delayjob-server");
    }

    @Test
    void modulesUseOnlyWhatOthersMakePublic() {
        classes().should(USE_NO_INTERNAL_PACKAGE_OF_ANOTHER_MODULE).check(MAIN);
    }

    @Test
    void packagesAreFreeOfCycles() {
        slices().matching("io.delayjob.(**)").should().beFreeOfCycles().check(MAIN);
    }
}
