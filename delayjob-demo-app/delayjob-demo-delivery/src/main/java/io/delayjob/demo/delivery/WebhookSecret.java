package io.delayjob.demo.delivery;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.redisson.api.RBucket;
import org.redisson.client.codec.StringCodec;
import org.springframework.stereotype.Component;

/** The secret that the demo's webhooks are signed with: drawn once, and the same on all nodes. A real one comes from a vault. */
@Component
class WebhookSecret {

    private static final int BYTES = 32;

    private final RBucket<String> stored;

    WebhookSecret(DelayJobRedis redis) {
        this.stored = redis.redisson().getBucket("demo:webhook-secret", StringCodec.INSTANCE);
    }

    String value() {
        byte[] bytes = new byte[BYTES];
        new SecureRandom().nextBytes(bytes);
        boolean unused = stored.setIfAbsent("whsec_" + Base64.getEncoder().encodeToString(bytes));
        return stored.get();
    }

    /** Whether a call is signed with it, by the library that receivers in Java use. */
    boolean hasSigned(String id, String timestamp, String body, String signature) {
        try {
            new Webhook(value())
                    .verify(
                            body,
                            Map.of(
                                    "webhook-id", List.of(id),
                                    "webhook-timestamp", List.of(timestamp),
                                    "webhook-signature", List.of(signature)));
            return true;
        } catch (EmptyWebhookSecretException | WebhookVerificationException e) {
            return false;
        }
    }
}
