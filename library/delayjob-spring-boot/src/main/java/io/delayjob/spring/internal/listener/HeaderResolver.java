package io.delayjob.spring.internal.listener;

import io.delayjob.NonRetryableException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.ValueConstants;
import org.springframework.messaging.handler.annotation.support.HeaderMethodArgumentResolver;
import org.springframework.util.StringUtils;

/**
 * Spring's {@code @Header}, with its conversion, defaults and {@code Optional}, on the headers of a job. These never change, so
 * that a job that lacks one, or has it in a form that does not convert, is given up.
 */
final class HeaderResolver extends HeaderMethodArgumentResolver {

    private static final TypeDescriptor TEXT = TypeDescriptor.valueOf(String.class);

    private final ConversionService conversion;

    HeaderResolver(ConfigurableBeanFactory beans) {
        this(beans, conversion(beans));
    }

    private HeaderResolver(ConfigurableBeanFactory beans, ConversionService conversion) {
        super(conversion, beans);
        this.conversion = conversion;
    }

    private static ConversionService conversion(ConfigurableBeanFactory beans) {
        ConversionService own = beans.getConversionService();
        return own == null ? ApplicationConversionService.getSharedInstance() : own;
    }

    /**
     * Lets a parameter be, or not.
     *
     * @throws IllegalArgumentException if no header can become it
     */
    void refuseInconvertible(MethodParameter parameter) {
        Class<?> type = parameter.getParameterType();
        if (!type.isAssignableFrom(String.class) && !conversion.canConvert(TEXT, new TypeDescriptor(parameter))) {
            throw new IllegalArgumentException("is a @Header of a type that Spring converts no string to");
        }
        Header mark = parameter.getParameterAnnotation(Header.class);
        boolean mayBeNull =
                mark != null && !mark.required() && mark.defaultValue().equals(ValueConstants.DEFAULT_NONE);
        if (mayBeNull && type.isPrimitive() && type != boolean.class) {
            throw new IllegalArgumentException(
                    "is a primitive, and a @Header that may be absent; take an object, or state a defaultValue");
        }
    }

    @Override
    public @Nullable Object resolveArgument(MethodParameter parameter, Message<?> message) throws Exception {
        try {
            return super.resolveArgument(parameter, message);
        } catch (ConversionException e) {
            // Without what Spring says, which quotes the value: headers stay out of logs.
            throw new NonRetryableException(
                    ((Delivery) message).listener() + " cannot be given the header '" + name(parameter) + "' as "
                            + parameter.getGenericParameterType().getTypeName()
                            + ": its value cannot be converted; submit it as such, or take a String and convert that");
        }
    }

    private static @Nullable String name(MethodParameter parameter) {
        Header mark = parameter.getParameterAnnotation(Header.class);
        return mark != null && StringUtils.hasText(mark.name()) ? mark.name() : parameter.getParameterName();
    }

    @Override
    protected @Nullable Object resolveArgumentInternal(MethodParameter parameter, Message<?> message, String name) {
        return ((Delivery) message).execution().headers().get(name);
    }

    @Override
    protected void handleMissingValue(String name, MethodParameter parameter, Message<?> message) {
        throw new NonRetryableException(
                ((Delivery) message).listener() + " requires the header '" + name
                        + "', which its job lacks, or has empty, and always will; submit it, or state required = false or a defaultValue");
    }
}
