package io.delayjob.server.app;

import io.delayjob.server.web.OwnPaths;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Everything that this program serves is subject to the times that a request may take to arrive. */
@Configuration(proxyBeanMethods = false)
class ServerPaths {

    @Bean
    OwnPaths everything() {
        return new OwnPaths(List.of(""));
    }
}
