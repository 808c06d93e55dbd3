package io.delayjob.spring.internal.listener;

import io.delayjob.JobExecution;
import io.delayjob.NonRetryableException;
import io.delayjob.engine.handler.ParamCodec;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.util.ClassUtils;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.type.TypeFactory;

/** The parameters of a listener method: checked once, filled at each attempt. */
final class Signature {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private static final TypeFactory TYPES = TypeFactory.createDefaultInstance();

    private final Class<?> target;
    private final List<Slot> slots;
    private final HeaderResolver headers;

    private record Slot(MethodParameter parameter, Argument argument) {}

    /** Sees the annotations of interface methods too, and type variables as the class of the bean states them. */
    private static final class Declared extends AnnotatedMethod {

        private final Class<?> target;

        private Declared(Method method, Class<?> target) {
            super(method);
            this.target = target;
        }

        @Override
        protected Class<?> getContainingClass() {
            return target;
        }
    }

    /**
     * Of a method.
     *
     * @param target the class of the bean
     * @throws IllegalArgumentException if it takes what no listener may
     */
    Signature(Method method, Class<?> target, HeaderResolver headers) {
        this.target = target;
        this.headers = headers;
        this.slots = slots(new Declared(method, target).getMethodParameters());
        if (slots.stream().filter(slot -> slot.argument() == Argument.PAYLOAD).count() > 1) {
            throw new IllegalArgumentException("it takes more than one payload; " + Argument.ALLOWED);
        }
    }

    private List<Slot> slots(MethodParameter[] parameters) {
        List<Slot> slots = new ArrayList<>();
        for (MethodParameter parameter : parameters) {
            parameter.initParameterNameDiscovery(NAMES);
            try {
                slots.add(slot(parameter));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "its parameter " + (slots.size() + 1) + " ("
                                + parameter.getGenericParameterType().getTypeName() + ") " + e.getMessage() + "; "
                                + Argument.ALLOWED,
                        e);
            }
        }
        return slots;
    }

    private Slot slot(MethodParameter parameter) {
        Argument argument = Argument.of(parameter);
        if (argument == Argument.HEADER) {
            headers.refuseInconvertible(parameter);
        }
        return new Slot(parameter, argument);
    }

    /** Whether it has such a parameter. */
    boolean takes(Argument argument) {
        return parameter(argument).isPresent();
    }

    private Optional<MethodParameter> parameter(Argument argument) {
        return slots.stream()
                .filter(slot -> slot.argument() == argument)
                .map(Slot::parameter)
                .findFirst();
    }

    /**
     * The type of the param of its jobs.
     *
     * @throws IllegalArgumentException if its parameters state different types, or the type cannot be read from JSON
     */
    JavaType paramType(ParamCodec params) {
        JavaType any = params.type(Object.class);
        JavaType payload = parameter(Argument.PAYLOAD)
                .map(parameter -> boxed(type(parameter, params), params))
                .orElse(any);
        JavaType execution = parameter(Argument.EXECUTION)
                .map(parameter -> type(parameter, params).findTypeParameters(JobExecution.class)[0])
                .orElse(any);
        if (takes(Argument.PAYLOAD) && !execution.equals(any) && !execution.equals(payload)) {
            throw new IllegalArgumentException("its payload is " + payload.toCanonical() + ", but its JobExecution has "
                    + execution.toCanonical() + "; state one type, or JobExecution<?>");
        }
        JavaType param = takes(Argument.PAYLOAD) ? payload : execution;
        params.refuseUnreadable(param);
        return param;
    }

    /** The variables of a generic superclass are what the class of the bean states. */
    private JavaType type(MethodParameter parameter, ParamCodec params) {
        Type type = parameter.getGenericParameterType();
        JavaType declaring = params.type(target).findSuperType(parameter.getDeclaringClass());
        return declaring == null || declaring.getBindings().isEmpty()
                ? params.type(type)
                : TYPES.resolveMemberType(type, declaring.getBindings());
    }

    private static JavaType boxed(JavaType type, ParamCodec params) {
        return type.isPrimitive() ? params.type(ClassUtils.resolvePrimitiveIfNecessary(type.getRawClass())) : type;
    }

    /** The arguments of an attempt. */
    @Nullable Object[] arguments(Delivery delivery) throws Exception {
        @Nullable Object[] arguments = new Object[slots.size()];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = argument(slots.get(i), delivery);
        }
        return arguments;
    }

    private static Object payload(Delivery delivery) {
        if (!delivery.execution().hasParam()) {
            throw new NonRetryableException(delivery.listener() + " takes a payload, and " + delivery + " has none");
        }
        return delivery.execution().param();
    }

    private @Nullable Object argument(Slot slot, Delivery delivery) throws Exception {
        return switch (slot.argument()) {
            case PAYLOAD -> payload(delivery);
            case EXECUTION -> delivery.execution();
            case ACKNOWLEDGMENT -> delivery.acknowledgment();
            case HEADER -> headers.resolveArgument(slot.parameter(), delivery);
            case HEADERS -> delivery.execution().headers();
        };
    }
}
