package io.delayjob.redisson.migration;

import io.delayjob.AckMode;
import io.delayjob.DelayJobListener;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/** The old annotation's name, for listeners that are not changed yet. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@DelayJobListener
@interface RedisDelayMessageListener {

    @AliasFor(annotation = DelayJobListener.class)
    String topic();

    @AliasFor(annotation = DelayJobListener.class)
    AckMode ackMode() default AckMode.ON_SUCCESS;
}
