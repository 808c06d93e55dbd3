package io.delayjob.server.app;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.delayjob.server.web.Body;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.util.RawValue;

/** Adds to the schemas of records what springdoc does not know: that a field holds any JSON, and that an answer always has a field. */
final class RecordSchemas implements ModelConverter {

    /** The description of a field that holds any JSON. */
    static final String ANY_JSON = "any JSON";

    private static final Set<Class<?>> ANY = Set.of(JsonNode.class, RawValue.class);

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        Schema<?> schema = chain.hasNext() ? chain.next().resolve(type, context, chain) : null;
        Class<?> raw = raw(type.getType());
        if (schema != null && raw.isRecord() && raw.getName().startsWith("io.delayjob.")) {
            complete(defined(schema, context), raw);
        }
        return schema;
    }

    private static Class<?> raw(Type type) {
        return Json.mapper().constructType(type).getRawClass();
    }

    private static Schema<?> defined(Schema<?> schema, ModelConverterContext context) {
        String reference = schema.get$ref();
        Schema<?> defined = reference == null
                ? null
                : context.getDefinedModels().get(reference.substring(reference.lastIndexOf('/') + 1));
        return defined == null ? schema : defined;
    }

    private static void complete(Schema<?> schema, Class<?> raw) {
        for (RecordComponent component : raw.getRecordComponents()) {
            String name = component.getName();
            if (ANY.contains(component.getType()) || component.getAccessor().isAnnotationPresent(JsonRawValue.class)) {
                schema.addProperty(name, new Schema<Object>().description(ANY_JSON));
            }
            boolean isRequired =
                    schema.getRequired() != null && schema.getRequired().contains(name);
            if (!isRequired && !isOfBody(raw) && isAlwaysThere(component)) {
                schema.addRequiredItem(name);
            }
        }
    }

    /** Of what is unwrapped, each field says so itself. */
    private static boolean isAlwaysThere(RecordComponent component) {
        return !component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                && !component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
    }

    /** The fields that a body must have say so themselves. */
    private static boolean isOfBody(@Nullable Class<?> type) {
        return type != null && (Body.class.isAssignableFrom(type) || isOfBody(type.getEnclosingClass()));
    }
}
