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
import tools.jackson.databind.util.RawValue;

/** Writes and reads the params of jobs with the application's own mapper, as the type that the handler declares. */
public final class ParamCodec {

    private static final int MAX_RESULT_BYTES = 8192;

    /** The param in the record of a job without one. */
    private static final String NONE = "null";

    private final JsonMapper json;
    private final int maxBytes;
    private final Map<JavaType, ObjectWriter> writers = new ConcurrentHashMap<>();
    private final Map<JavaType, ObjectReader> readers = new ConcurrentHashMap<>();

    /**
     * Creates a codec that uses the application's mapper.
     *
     * @param maxBytes the size limit of a param, in bytes of UTF-8 JSON
     */
    public ParamCodec(JsonMapper json, int maxBytes) {
        this.json = json;
        this.maxBytes = maxBytes;
    }

    /** The mapper's representation of a type. */
    public JavaType type(Type type) {
        return json.constructType(type);
    }

    /**
     * Refuses a type that cannot be read from JSON, such as an abstract one without declared subtypes.
     *
     * @throws IllegalArgumentException if the type cannot be read
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
            // The type can be read; the empty object need not be a valid value of it.
            return;
        }
    }

    /** Writes a param as JSON; throws if it cannot be written and read back, or is too long. */
    public String write(Handler job, @Nullable Object param) {
        if (param == null) {
            return none(job);
        }
        Class<?> stated = job.paramType().getRawClass();
        Class<?> taken =
                stated.isPrimitive() ? MethodType.methodType(stated).wrap().returnType() : stated;
        boolean isTaken = taken.isInstance(param);
        if (!isTaken && !(param instanceof JsonNode || param instanceof RawValue)) {
            throw new IllegalArgumentException(
                    job.label() + " takes " + job.paramType().toCanonical() + ", but the param is a "
                            + param.getClass().getName());
        }
        String what = "param of job '" + job.name() + "'";
        // JSON from outside is stored as it came, if the handler's type can be read from it.
        ObjectWriter writer = isTaken ? writers.computeIfAbsent(job.paramType(), json::writerFor) : json.writer();
        String text = checked(what, writer, param);
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

    /** Writes the payload for a topic without a handler on this node, as its own type. */
    public String write(String topic, @Nullable Object payload) {
        if (payload == null) {
            return NONE;
        }
        String what = "payload for topic '" + topic + "'";
        String text = checked(what, json.writer(), payload);
        readThrough(what + " cannot be read back", text);
        return whole(what, text);
    }

    /**
     * Checks every param, because the result depends on the value too. A job whose param cannot be read would otherwise be stored,
     * and dead when it is due.
     */
    private void readBack(String failed, JavaType type, String text) {
        try {
            bound(type, text);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            throw new IllegalArgumentException(failed + ": " + ErrorText.placeOf(e), e);
        }
    }

    /** Checks JSON of any type. Nothing is made of it: it may be large. */
    private void readThrough(String failed, String text) {
        try (JsonParser parser = json.createParser(text)) {
            if (parser.nextToken() == null) {
                throw new IllegalArgumentException("it is empty");
            }
            parser.skipChildren();
            if (parser.nextToken() != null) {
                throw new IllegalArgumentException("it is more than one value");
            }
        } catch (RuntimeException e) {
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

    /** The place of the first string or property name with a lone surrogate. */
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

    /** Writes the result of a job as JSON. */
    public String writeResult(String job, Object result) {
        String what = "result of job '" + job + "'";
        return shortResult(what, text(what, json.writer(), result));
    }

    /** Returns the result of a job that is JSON already; throws if it is not, or is too long. */
    public String checkedResult(String job, String result) {
        String what = "result of job '" + job + "'";
        String checked = shortResult(what, result);
        readThrough(what + " is not JSON", checked);
        return checked;
    }

    private String shortResult(String what, String text) {
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

    /** The length of a text in UTF-8 bytes; 0 if it cannot exceed {@code limit}. */
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

    /** Reads a param as the type that the handler declares; null if there is none and the type allows that. */
    public @Nullable Object read(Handler job, String param) {
        return takesNone(job.paramType()) ? reader(job.paramType()).readValue(param) : bound(job.paramType(), param);
    }

    /** Reads a param without a type: as maps, lists, texts, numbers and booleans; null if there is none. */
    public @Nullable Object readAny(String param) {
        return json.readValue(param, Object.class);
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
