package io.delayjob.server.app;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Serves the HTTP API. Any number of servers can share a Redis; none of them keeps anything that another one needs. */
@SpringBootApplication
public class ServerApplication {

    /**
     * Starts a server.
     *
     * @param args properties, such as {@code --server.port=8081}
     */
    public static void main(String[] args) {
        SpringApplication.run(ServerApplication.class, args);
    }
}
