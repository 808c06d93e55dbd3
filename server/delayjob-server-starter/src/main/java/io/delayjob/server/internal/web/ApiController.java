package io.delayjob.server.internal.web;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.web.bind.annotation.ResponseBody;

/**
 * Routes of the API, whose paths are those after the path of the API. Spring does not serve them by itself, as it does those of a
 * {@code @RestController}: an application that has the console alone has these beans, too.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResponseBody
public @interface ApiController {}
