package io.delayjob.server.console;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.redisson.client.codec.StringCodec;

/** The codecs of the calls to Redis, in all modules that make some. */
class CodecsTest {

    private static final JavaClasses MAIN = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .withImportOption(location -> !location.contains("delayjob-embedded-redis"))
            .importPackages("io.delayjob");

    /** Netty's pool would not get back what it has written for a call that dies with its connection. */
    @Test
    void textsAreWrittenByNoCodecWithPooledBuffers() {
        assertThat(MAIN.stream().map(type -> type.getPackageName()))
                .contains(
                        "io.delayjob.redisson.internal.redis",
                        "io.delayjob.delivery.internal.binding",
                        "io.delayjob.server.internal.access",
                        "io.delayjob.server.console.internal.access");
        noClasses()
                .that()
                .areNotAssignableTo(StringCodec.class)
                .should()
                .dependOnClassesThat(type(StringCodec.class))
                .check(MAIN);
    }
}
