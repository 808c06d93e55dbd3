package io.delayjob.test.shop;

import java.time.Clock;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
class ShopApplication {

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
