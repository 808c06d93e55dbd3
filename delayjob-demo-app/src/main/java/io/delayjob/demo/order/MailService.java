package io.delayjob.demo.order;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/** Stands for a mail service: takes its time, and has no connection at first. */
@Component
class MailService {

    private static final Duration TIME = Duration.ofMillis(300);

    CompletableFuture<String> send(String mail, int attempt) {
        return CompletableFuture.supplyAsync(
                () -> {
                    if (attempt == 1) {
                        throw new CompletionException(new IllegalStateException("the mail service is busy"));
                    }
                    return mail;
                },
                CompletableFuture.delayedExecutor(TIME.toMillis(), TimeUnit.MILLISECONDS));
    }
}
