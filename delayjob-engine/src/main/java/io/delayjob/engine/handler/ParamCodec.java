package io.delayjob.engine.handler;

import io.delayjob.engine.internal.records.ErrorText;
import io.delayjob.support.Checks;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.exc.InvalidDefinitionException;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the params of jobs with the application's own mapper, bound to the type that the bean states. */
public final class ParamCodec {

    private static final int MAX_RESULT_BYTES = 8192;

    /** Stands in the record of a job without a param. */
    private static final String NONE = "null";

    private final JsonMapper json;
    private final int maxBytes;
    private final Map<JavaType, ObjectWriter> writers = new ConcurrentHashMap<>();
    private final Map<JavaType, ObjectReader> readers = new ConcurrentHashMap<>();

    /**
     * With the application's mapper.
     *
     * @param maxBytes the longest param, as UTF-8 JSON
     */
    public ParamCodec(JsonMapper json, int maxBytes) {
        this.json = json;
        this.maxBytes = maxBytes;
    }

    /** The mapper's view of a type. */
    public JavaType type(Type type) {
        return json.constructType(type);
    }

    /**
     * Refuses a type of which no param could be read, such as an abstract one that does not say what it may be.
     *
     * @throws IllegalArgumentException if it is one
     */
    public void refuseUnreadable(JavaType type) {
        try {
            reader(type).readValue("{}");
        } catch (InvalidDefinitionException e) {
            throw new IllegalArgumentException(
                    "a param of type " + type.toCanonical() + " cannot be read from JSON (" + e.getOriginalMessage()
                            + "); use a concrete type, or name its subtypes with @JsonTypeInfo, and with @JsonSubTypes unless"
                            + " it is sealed",
                    e);
        } catch (RuntimeException | LinkageError e) {
            // The type can be read; that this is none of its values was to be expected.
            return;
        }
    }

    /** The param as JSON; one that cannot be written and read back, or is too long, is the caller's fault. */
    public String write(Handler job, @Nullable Object param) {
        if (param == null) {
            return none(job);
        }
        Class<?> stated = job.paramType().getRawClass();
        Class<?> taken =
                stated.isPrimitive() ? MethodType.methodType(stated).wrap().returnType() : stated;
        if (!taken.isInstance(param)) {
            throw new IllegalArgumentException(
                    job.label() + " takes " + job.paramType().toCanonical() + ", but the param is a "
                            + param.getClass().getName());
        }
        String what = "param of job '" + job.name() + "'";
        String text = checked(what, writers.computeIfAbsent(job.paramType(), json::writerFor), param);
        readBack(what + " cannot be read back as " + job.paramType().toCanonical(), job.paramType(), text);
        return whole(what, text);
    }

    private static String none(Handler job) {
        if (!takesNone(job.paramType())) {
            throw new IllegalArgumentException(
                    job.label() + " takes " + job.paramType().toCanonical() + ": the param must not be null");
        }
        return NONE;
    }

    private static boolean takesNone(JavaType type) {
        return type.hasRawClass(Void.class) || type.isJavaLangObject();
    }

    /** The payload for a topic of which nothing is known here, as its own type has it. */
    public String write(String topic, @Nullable Object payload) {
        if (payload == null) {
            return NONE;
        }
        String what = "payload for topic '" + topic + "'";
        String text = checked(what, json.writer(), payload);
        readBack(what + " cannot be read back", type(JsonNode.class), text);
        return whole(what, text);
    }

    /** Each time, because it depends on the value too. What could not be read would else be stored, and dead when it is due. */
    private void readBack(String failed, JavaType type, String text) {
        try {
            bound(type, text);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw new IllegalArgumentException(failed + ": " + ErrorText.placeOf(e), e);
        }
    }

    private String whole(String what, String text) {
        if (!Checks.isWhole(text)) {
            throw new IllegalArgumentException(
                    what + " must not contain half a character (a lone surrogate): in " + placeOfHalf(text));
        }
        return text;
    }

    /** The first string or name that is not whole. */
    private String placeOfHalf(String text) {
        try (JsonParser parser = json.createParser(text)) {
            while (parser.nextToken() != null) {
                TokenStreamContext context = parser.streamReadContext();
                if (parser.hasToken(JsonToken.PROPERTY_NAME) && !Checks.isWhole(parser.getString())) {
                    return "a property name in " + pointer(context.getParent());
                }
                if (parser.hasToken(JsonToken.VALUE_STRING) && !Checks.isWhole(parser.getString())) {
                    return pointer(context);
                }
            }
        }
        return "its text";
    }

    private static String pointer(@Nullable TokenStreamContext context) {
        String pointer = context == null ? "" : context.pathAsPointer().toString();
        return pointer.isEmpty() ? "its root" : pointer;
    }

    /** What a job leaves behind, as JSON. */
    public String writeResult(String job, Object result) {
        String what = "result of job '" + job + "'";
        String text = text(what, json.writer(), result);
        int bytes = bytes(text, MAX_RESULT_BYTES);
        if (bytes > MAX_RESULT_BYTES) {
            throw new IllegalArgumentException(what + " takes " + bytes + " bytes as JSON, more than "
                    + MAX_RESULT_BYTES + "; store it elsewhere");
        }
        return whole(what, text);
    }

    private String checked(String what, ObjectWriter writer, Object value) {
        String text = text(what, writer, value);
        int bytes = bytes(text, maxBytes);
        if (bytes > maxBytes) {
            throw new IllegalArgumentException(
                    what + " takes " + bytes + " bytes as JSON, more than delayjob.max-param-size allows (" + maxBytes
                            + "); store it elsewhere and submit a reference, or raise the limit");
        }
        return text;
    }

    /** The bytes of a text, or 0 if it cannot have more than {@code limit}. */
    private static int bytes(String text, int limit) {
        return text.length() <= limit / 3 ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String text(String what, ObjectWriter writer, Object value) {
        try {
            return writer.writeValueAsString(value);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    what + " cannot be written as JSON: " + value.getClass().getName() + ": " + e.getMessage(), e);
        }
    }

    /** Binds a param to the type the bean states; null if there is none, and the type allows that. */
    public @Nullable Object read(Handler job, String param) {
        return takesNone(job.paramType()) ? reader(job.paramType()).readValue(param) : bound(job.paramType(), param);
    }

    private Object bound(JavaType type, String param) {
        Object bound = reader(type).readValue(param);
        if (bound == null) {
            throw new IllegalArgumentException("its JSON is null, which stands for a job without a param");
        }
        return bound;
    }

    private ObjectReader reader(JavaType type) {
        return readers.computeIfAbsent(type, json::readerFor);
    }
}
