package io.delayjob.demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the demo. Several can run on one machine, each with its own {@code --server.port}; they share the jobs. */
@SpringBootApplication
public class DemoApplication {

    /**
     * Starts the demo.
     *
     * @param args properties, such as {@code --server.port=8081}
     */
    public static void main(String[] args) {
        SpringApplication.run(DemoApplication.class, args);
    }
}
