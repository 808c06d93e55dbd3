package io.delayjob.redisson.internal.engine;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes and reads the params of jobs with the application's own mapper, bound to the type that the bean states. */
public final class ParamCodec {

    private final JsonMapper json;
    private final int maxBytes;

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
        String text = text(job, param);
        int bytes = text.length() * 3 <= maxBytes ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            throw new IllegalArgumentException("param of job '" + job.name() + "' takes " + bytes
                    + " bytes as JSON, more than delayjob.max-param-size allows (" + maxBytes
                    + "); store it elsewhere and submit a reference, or raise the limit");
        }
        return text;
    }

    private String text(RegisteredJob job, Object param) {
        try {
            return json.writerFor(job.paramType()).writeValueAsString(param);
        } catch (JacksonException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "param of job '" + job.name() + "' cannot be written as JSON: "
                            + param.getClass().getName() + ": " + e.getMessage(),
                    e);
        }
    }

    /** Binds a param to the type the bean states. */
    @Nullable Object read(RegisteredJob job, JsonNode param) {
        return json.readerFor(job.paramType()).readValue(param);
    }
}
