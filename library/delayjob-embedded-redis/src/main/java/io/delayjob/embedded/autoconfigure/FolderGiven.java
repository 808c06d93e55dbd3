package io.delayjob.embedded.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a setting says whether the application may start a Redis, and where: a folder, or {@code false}. */
final class FolderGiven implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return context.getEnvironment().containsProperty("embedded-redis.folder");
    }
}
