package io.delayjob.demo.delivery;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Receives webhooks, as a receiver anywhere does: by the signature it knows who sent them. */
@RestController
final class WebhookController {

    private final WebhookSecret secret;
    private final DeliveryLog log;

    WebhookController(WebhookSecret secret, DeliveryLog log) {
        this.secret = secret;
        this.log = log;
    }

    @PostMapping("/webhook")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void receive(
            @RequestHeader("webhook-id") String id,
            @RequestHeader("webhook-timestamp") String timestamp,
            @RequestHeader("webhook-signature") String signature,
            @RequestHeader("delayjob-attempt") int attempt,
            @RequestBody String body) {
        if (!secret.hasSigned(id, timestamp, body, signature)) {
            throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, "the call is not signed with the secret");
        }
        log.arrived(id, Arrival.now(attempt, "valid"));
    }
}
