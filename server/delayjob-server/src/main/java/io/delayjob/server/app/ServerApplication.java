package io.delayjob.server.app;

import io.delayjob.server.command.Commands;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;
import org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration;
import org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.web.reactive.ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration;

/**
 * Serves the HTTP API. Any number of servers can share a Redis; none of them keeps anything that another one needs. Of Boot's set-up of
 * Spring Security only the part is used that reads JSON Web Tokens, so that without {@link WebTokens} nothing of it is there.
 */
@SpringBootApplication(
        exclude = {
            ReactiveWebSecurityAutoConfiguration.class,
            ReactiveManagementWebSecurityAutoConfiguration.class,
            ReactiveOAuth2ResourceServerWebSecurityAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class
        })
public class ServerApplication {

    /**
     * Starts a server, or does what a command says.
     *
     * @param args properties, such as {@code --server.port=8081}; a command comes before them, such as {@code journal diff}
     */
    public static void main(String[] args) {
        if (Commands.areIn(args)) {
            System.exit(Commands.run(args));
        }
        SpringApplication.run(ServerApplication.class, args);
    }
}
