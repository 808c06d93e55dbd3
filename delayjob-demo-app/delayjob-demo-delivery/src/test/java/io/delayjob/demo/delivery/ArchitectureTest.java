package io.delayjob.demo.delivery;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    @Test
    void usesOnlyWhatOtherModulesMakePublic() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.delayjob..internal..")
                .check(new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("io.delayjob.demo.delivery"));
    }
}
