package io.delayjob.redisson.internal.listener;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.core.MethodParameter;
import org.springframework.core.convert.ConversionService;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.support.HeaderMethodArgumentResolver;

/** Spring's {@code @Header}, with its conversion, defaults and {@code Optional}, on the headers of a job. */
final class HeaderResolver extends HeaderMethodArgumentResolver {

    HeaderResolver(ConfigurableBeanFactory beans) {
        super(conversion(beans), beans);
    }

    private static ConversionService conversion(ConfigurableBeanFactory beans) {
        ConversionService own = beans.getConversionService();
        return own == null ? ApplicationConversionService.getSharedInstance() : own;
    }

    @Override
    protected @Nullable Object resolveArgumentInternal(MethodParameter parameter, Message<?> message, String name) {
        return ((Delivery) message).execution().headers().get(name);
    }
}
