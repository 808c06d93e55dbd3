package io.delayjob.demo.delivery;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the demo of jobs that leave. Several can run on one machine, each with its own {@code --server.port}; they share the jobs. */
@SpringBootApplication
class DeliveryDemoApplication {

    /**
     * Starts the demo.
     *
     * @param args properties, such as {@code --server.port=8081}
     */
    public static void main(String[] args) {
        SpringApplication.run(DeliveryDemoApplication.class, args);
    }
}
