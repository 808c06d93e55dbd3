package io.delayjob.spring.internal.listener;

import io.delayjob.Acknowledgment;
import io.delayjob.JobExecution;
import java.lang.annotation.Annotation;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.Headers;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.util.StringUtils;

/** The kinds of arguments that the parameters of a listener can take. */
enum Argument {
    PAYLOAD,
    EXECUTION,
    ACKNOWLEDGMENT,
    HEADER,
    HEADERS;

    /** All that a listener may take, for messages. */
    static final String ALLOWED =
            "a listener takes, in any order: one payload (a parameter of any other type than the following,"
                    + " or marked @Payload), JobExecution<P>, Acknowledgment (with ackMode MANUAL), @Header(\"name\") of any type that"
                    + " Spring converts a string to, and @Headers Map<String, Object>";

    private static final String MESSAGING = "org.springframework.messaging";

    /**
     * The kind of argument that a parameter takes.
     *
     * @throws IllegalArgumentException if the parameter is not allowed; the message says why
     */
    static Argument of(MethodParameter parameter) {
        long marks = Stream.of(Payload.class, Header.class, Headers.class)
                .filter(parameter::hasParameterAnnotation)
                .count();
        Class<?> type = parameter.getParameterType();
        boolean own = type == JobExecution.class || type == Acknowledgment.class;
        if (marks > 1 || (own && marks > 0)) {
            throw new IllegalArgumentException("is marked as more than one kind of argument");
        }
        if (own) {
            return type == JobExecution.class ? EXECUTION : ACKNOWLEDGMENT;
        }
        return marks == 0 ? unmarked(type) : marked(parameter);
    }

    private static Argument unmarked(Class<?> type) {
        if (type.getPackageName().startsWith(MESSAGING)) {
            throw new IllegalArgumentException("is a Spring messaging type, and a job is not a message");
        }
        return PAYLOAD;
    }

    private static Argument marked(MethodParameter parameter) {
        if (has(parameter, Header.class)) {
            return header(parameter);
        }
        return has(parameter, Headers.class) ? headers(parameter) : payload(parameter);
    }

    private static boolean has(MethodParameter parameter, Class<? extends Annotation> mark) {
        return parameter.hasParameterAnnotation(mark);
    }

    private static Argument header(MethodParameter parameter) {
        Header mark = parameter.getParameterAnnotation(Header.class);
        boolean named = mark != null && StringUtils.hasText(mark.value() + mark.name());
        if (!named && parameter.getParameterName() == null) {
            throw new IllegalArgumentException("is a @Header without a name, in a class compiled without -parameters");
        }
        return HEADER;
    }

    private static Argument headers(MethodParameter parameter) {
        ResolvableType type = ResolvableType.forMethodParameter(parameter);
        Class<?> key = type.getGeneric(0).resolve(Object.class);
        Class<?> value = type.getGeneric(1).resolve(Object.class);
        boolean map = parameter.getParameterType() == Map.class;
        if (!map || !key.isAssignableFrom(String.class) || !value.isAssignableFrom(String.class)) {
            throw new IllegalArgumentException("is marked @Headers and is no Map<String, Object>");
        }
        return HEADERS;
    }

    private static Argument payload(MethodParameter parameter) {
        Payload mark = parameter.getParameterAnnotation(Payload.class);
        if (mark != null && StringUtils.hasText(mark.value() + mark.expression())) {
            throw new IllegalArgumentException("has an expression in its @Payload, which is not supported");
        }
        return PAYLOAD;
    }
}
