package io.delayjob.benchmarks.empty;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** A web application with nothing in it. */
@SpringBootApplication
class EmptyApplication {

    /** Starts it. */
    public static void main(String[] args) {
        SpringApplication.run(EmptyApplication.class, args);
    }
}
