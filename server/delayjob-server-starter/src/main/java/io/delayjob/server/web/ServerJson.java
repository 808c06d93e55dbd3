package io.delayjob.server.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import io.delayjob.support.Times;
import java.io.StringWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;
import tools.jackson.databind.util.RawValue;

/** The JSON of the API, whatever the application's own mapper is set to. Numbers keep all their digits. */
public final class ServerJson {

    /** Braces, brackets, names and values of a document. Read, each object takes fifty times the two bytes that it was sent as. */
    private static final long MOST_TOKENS = 1_000_000;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxTokenCount(MOST_TOKENS)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .withCoercionConfig(
                    LogicalType.Textual,
                    strict -> strict.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .changeDefaultPropertyInclusion(old -> old.withValueInclusion(JsonInclude.Include.NON_NULL))
            .changeDefaultNullHandling(old -> old.withContentNulls(Nulls.FAIL))
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .addModule(new SimpleModule()
                    .addDeserializer(RawValue.class, new RawDeserializer())
                    .addDeserializer(
                            Duration.class,
                            new TextDeserializer<>(
                                    Duration.class, Duration::parse, "an ISO-8601 duration such as PT30S"))
                    .addDeserializer(
                            Instant.class,
                            new TextDeserializer<>(
                                    Instant.class, Times::parse, "a UTC time such as 2030-01-31T08:00:00Z")))
            .build();

    private static final JsonMapper STORED = MAPPER.rebuild()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private ServerJson() {}

    /** The mapper of all bodies and answers. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** The mapper of what servers store for each other: fields of a newer release are read past. */
    public static JsonMapper stored() {
        return STORED;
    }

    /**
     * JSON that is embedded in an answer as it is.
     *
     * @param text JSON, or any text, which becomes a JSON string
     * @param isJson whether it is JSON
     */
    public static String embedded(String text, boolean isJson) {
        return isJson ? text : MAPPER.writeValueAsString(text);
    }

    /** The JSON of a value; null if there is none. */
    public static @Nullable String text(@Nullable JsonNode value) {
        return value == null ? null : MAPPER.writeValueAsString(value);
    }

    /** Copies any JSON as text: a tree of a large one is many small objects, which delay everybody when memory is collected. */
    private static final class RawDeserializer extends StdDeserializer<RawValue> {

        RawDeserializer() {
            super(RawValue.class);
        }

        @Override
        public RawValue deserialize(JsonParser parser, DeserializationContext context) {
            StringWriter text = new StringWriter();
            try (JsonGenerator copy = JsonMapper.shared().createGenerator(text)) {
                copy.copyCurrentStructureExact(parser);
            }
            return new RawValue(text.toString());
        }
    }

    /** Reads a value that is written as a string. */
    private static final class TextDeserializer<T> extends StdDeserializer<T> {

        private final Function<String, T> parse;
        private final String expected;

        TextDeserializer(Class<T> type, Function<String, T> parse, String expected) {
            super(type);
            this.parse = parse;
            this.expected = expected;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                throw context.weirdStringException(
                        parser.getString(), handledType(), "give " + expected + " as a string");
            }
            try {
                return parse.apply(parser.getString());
            } catch (DateTimeException | ArithmeticException e) {
                throw context.weirdStringException(parser.getString(), handledType(), "give " + expected);
            }
        }
    }
}
