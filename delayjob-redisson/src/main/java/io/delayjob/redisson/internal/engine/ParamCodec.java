package io.delayjob.redisson.internal.engine;

import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the params of jobs with the application's own mapper, bound to the type that the bean states. */
public final class ParamCodec {

    private static final int MAX_RESULT_BYTES = 8192;

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

    /** The param as JSON; one that cannot be written, or is too long, is the caller's fault. */
    String write(RegisteredJob job, Object param) {
        Class<?> stated = job.paramType().getRawClass();
        Class<?> taken =
                stated.isPrimitive() ? MethodType.methodType(stated).wrap().returnType() : stated;
        if (!taken.isInstance(param)) {
            throw new IllegalArgumentException(
                    job.label() + " takes " + job.paramType().toCanonical() + ", the param is a "
                            + param.getClass().getName());
        }
        return checked(
                "param of job '" + job.name() + "'", writers.computeIfAbsent(job.paramType(), json::writerFor), param);
    }

    /** The payload for a topic of which nothing is known here, as its own type has it. */
    String write(String topic, Object payload) {
        return checked("payload for topic '" + topic + "'", json.writer(), payload);
    }

    /** What a job leaves behind, as JSON. */
    String writeResult(String job, Object result) {
        String what = "result of job '" + job + "'";
        String text = text(what, json.writer(), result);
        int bytes = bytes(text, MAX_RESULT_BYTES);
        if (bytes > MAX_RESULT_BYTES) {
            throw new IllegalArgumentException(what + " takes " + bytes + " bytes as JSON, more than "
                    + MAX_RESULT_BYTES + "; store it elsewhere");
        }
        return text;
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

    /** Binds a param to the type the bean states. */
    @Nullable Object read(RegisteredJob job, String param) {
        return readers.computeIfAbsent(job.paramType(), json::readerFor).readValue(param);
    }
}
