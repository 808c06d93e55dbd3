package io.delayjob.spring.internal.listener;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** The classes of beans, behind whatever proxies they have; makes no bean. */
final class BeanTypes {

    private BeanTypes() {}

    /** The class as it was written, as far as it is known before the bean is made; null if nothing is. */
    static @Nullable Class<?> target(ConfigurableListableBeanFactory beans, String beanName) {
        Object made = beans.containsSingleton(beanName) ? beans.getSingleton(beanName) : null;
        Class<?> type = made == null || made instanceof FactoryBean
                ? AutoProxyUtils.determineTargetClass(beans, beanName)
                : AopProxyUtils.ultimateTargetClass(made);
        if (type != null && ScopedObject.class.isAssignableFrom(type)) {
            type = AutoProxyUtils.determineTargetClass(beans, ScopedProxyUtils.getTargetBeanName(beanName));
        }
        return type == null ? null : ClassUtils.getUserClass(type);
    }
}
