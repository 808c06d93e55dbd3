package io.delayjob.spring.autoconfigure;

import io.delayjob.DelayJobAdmin;
import io.delayjob.DelayJobSchedules;
import io.delayjob.JobOptions;
import io.delayjob.engine.DelayJobEngine;
import io.delayjob.engine.settings.EngineSettings;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ErrorDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ExplanationDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.FleetDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.JobActionDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.OneScheduleDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.PageDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.QueueActionDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.ScheduleActionDescriptor;
import io.delayjob.spring.autoconfigure.EndpointDescriptors.SchedulesDescriptor;
import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoints {@code delayjob} and {@code delayjobschedules}, in an application that has the actuator and exposes them. */
@AutoConfiguration(after = DelayJobAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean({DelayJobEngine.class, EngineSettings.class})
public final class DelayJobEndpointAutoConfiguration {

    private DelayJobEndpointAutoConfiguration() {}

    @Bean
    @RegisterReflectionForBinding({
        FleetDescriptor.class,
        PageDescriptor.class,
        ExplanationDescriptor.class,
        QueueActionDescriptor.class,
        JobActionDescriptor.class,
        ErrorDescriptor.class,
        JobOptions.class
    })
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    static DelayJobEndpoint delayJobEndpoint(DelayJobEngine engine, DelayJobAdmin admin, EngineSettings settings) {
        return new DelayJobEndpoint(engine, admin, settings);
    }

    @Bean
    @RegisterReflectionForBinding({
        SchedulesDescriptor.class,
        OneScheduleDescriptor.class,
        ScheduleActionDescriptor.class
    })
    @ConditionalOnAvailableEndpoint
    @ConditionalOnMissingBean
    static DelayJobSchedulesEndpoint delayJobSchedulesEndpoint(DelayJobSchedules schedules) {
        return new DelayJobSchedulesEndpoint(schedules);
    }
}
