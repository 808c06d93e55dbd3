package io.delayjob.server;

import io.delayjob.testing.RealRedis;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of an API that is the same in a WebFlux application and on a servlet container. */
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@EnumSource(
        value = TestServer.Kind.class,
        names = {"NETTY", "TOMCAT"})
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@interface EachServer {}
