package io.delayjob.server;

import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of an API that is the same in a WebFlux application, and on a servlet container with the profile {@code proofs}. */
@Tag(Variants.TAG)
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@MethodSource("io.delayjob.server.TestServer#kinds")
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface EachServer {}
