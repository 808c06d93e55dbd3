package io.delayjob.spring.internal.listener;

import io.delayjob.Acknowledgment;
import io.delayjob.JobExecution;
import io.delayjob.engine.handler.Handler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.SpringProxy;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** Calls the method of a listener on its bean, through whatever proxies it has. */
final class ListenerWork implements Handler.Work {

    private final String label;
    private final BeanFactory beans;
    private final String beanName;
    private final Method method;
    private final Signature signature;
    private final Map<Class<?>, Method> invocables = new ConcurrentHashMap<>(1);

    ListenerWork(String label, BeanFactory beans, String beanName, Method method, Signature signature) {
        this.label = label;
        this.beans = beans;
        this.beanName = beanName;
        this.method = method;
        this.signature = signature;
    }

    @Override
    public void execute(JobExecution<Object> execution, Acknowledgment acknowledgment) throws Exception {
        Object bean = beans.getBean(beanName);
        Method invocable = invocables.computeIfAbsent(bean.getClass(), type -> invocable(method, type));
        try {
            invocable.invoke(bean, signature.arguments(new Delivery(label, execution, acknowledgment)));
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    /**
     * The method as beans of a class, which may be a proxy's, have it.
     *
     * @throws IllegalStateException if a proxy hides it
     */
    static Method invocable(Method method, Class<?> exposed) {
        Method invocable = exposed(method, exposed);
        int modifiers = invocable.getModifiers();
        if (SpringProxy.class.isAssignableFrom(exposed) && Modifier.isFinal(modifiers)) {
            throw new IllegalStateException(
                    "the method is final, so that the proxy of its bean cannot pass it on; let it not be final");
        }
        ReflectionUtils.makeAccessible(invocable);
        return invocable;
    }

    private static Method exposed(Method method, Class<?> exposed) {
        try {
            return AopUtils.selectInvocableMethod(method, exposed);
        } catch (IllegalStateException e) {
            if (!Proxy.isProxyClass(exposed)) {
                throw e;
            }
            throw new IllegalStateException(
                    "the proxy of its bean has the methods of its interfaces only; put the method on one of them, or set"
                            + " spring.aop.proxy-target-class=true, which is Boot's default",
                    e);
        }
    }
}
