package io.delayjob.coexistence.host;

import java.util.UUID;
import org.springframework.cache.annotation.Cacheable;

/** Greets in ever new words, unless it is cached. */
class Greeter {

    @Cacheable("greetings")
    String greet(String name) {
        return name + " " + UUID.randomUUID();
    }
}
