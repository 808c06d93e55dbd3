package io.delayjob.server.internal.web;

import io.delayjob.server.web.Problem;
import io.delayjob.server.web.ServerJson;
import io.delayjob.support.Checks;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.ProblemDetail;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Says what is wrong with a body or a parameter, where, and what is expected there, without the names of classes. */
final class BodyProblems {

    private static final Pattern MISSING = Pattern.compile("Missing required creator property '(\\w+)'");

    private static final Map<Class<?>, String> EXPECTED = Map.of(
            Duration.class, "an ISO-8601 duration such as PT30S",
            Instant.class, "a UTC time such as 2030-01-31T08:00:00Z",
            String.class, "a string",
            Integer.class, "a whole number",
            int.class, "a whole number",
            Double.class, "a number",
            boolean.class, "true or false");

    /** Types that JSON lacks and that are sent as text. */
    private static final Set<Class<?>> TEXTS = Set.of(Duration.class, Instant.class);

    private BodyProblems() {}

    /** The answer to a body that cannot be read. */
    static ProblemDetail of(JacksonException failure) {
        ProblemDetail problem = Problem.INVALID_BODY.detail(detail(failure, pointer(failure)));
        if (!pointer(failure).isEmpty()) {
            problem.setProperty("field", pointer(failure));
        }
        return problem;
    }

    /** The answer to a parameter of a request that cannot be read. */
    static ProblemDetail of(String parameter, TypeMismatchException failure) {
        return Problem.INVALID_VALUE.detail("%s is %s; give %s"
                .formatted(
                        parameter,
                        Checks.shown(String.valueOf(failure.getValue())),
                        expected(failure.getRequiredType())));
    }

    private static String detail(JacksonException failure, String field) {
        String place = field.isEmpty() ? "the body" : field;
        if (failure instanceof UnrecognizedPropertyException unknown) {
            return "unknown field %s in %s; the fields there are %s"
                    .formatted(
                            Checks.shown(unknown.getPropertyName()),
                            parent(field),
                            unknown.getKnownPropertyIds().stream()
                                    .map(String::valueOf)
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        } else if (failure instanceof InvalidFormatException format) {
            return "%s is %s; give %s"
                    .formatted(place, Checks.shown(String.valueOf(format.getValue())), inJson(format.getTargetType()));
        } else if (failure instanceof InvalidNullException) {
            return "%s must not be null".formatted(place);
        } else if (failure instanceof MismatchedInputException mismatched) {
            Matcher missing = MISSING.matcher(String.valueOf(failure.getOriginalMessage()));
            return missing.find()
                    ? "%s has no %s, which is required".formatted(parent(field), missing.group(1))
                    : "%s must be %s".formatted(place, inJson(mismatched.getTargetType()));
        }
        return "not JSON: " + failure.getOriginalMessage();
    }

    private static String parent(String field) {
        int last = field.lastIndexOf('/');
        return last < 1 ? "the body" : field.substring(0, last);
    }

    private static String inJson(@Nullable Class<?> type) {
        return type != null && TEXTS.contains(type) ? expected(type) + ", as a string" : expected(type);
    }

    private static String expected(@Nullable Class<?> type) {
        if (type == null) {
            return "something else";
        } else if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(ServerJson.mapper()::writeValueAsString)
                            .collect(Collectors.joining(", "));
        } else if (Collection.class.isAssignableFrom(type)) {
            return "an array";
        }
        return EXPECTED.getOrDefault(type, "an object");
    }

    /** Where it is, as a JSON pointer; empty for the whole. */
    private static String pointer(JacksonException failure) {
        StringBuilder pointer = new StringBuilder();
        failure.getPath()
                .forEach(step -> pointer.append('/')
                        .append(step.getPropertyName() == null ? step.getIndex() : step.getPropertyName()));
        return pointer.toString();
    }
}
