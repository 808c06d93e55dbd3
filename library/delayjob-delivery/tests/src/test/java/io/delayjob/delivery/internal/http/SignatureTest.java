package io.delayjob.delivery.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The signature of a call. */
class SignatureTest {

    private static final List<String> SECRETS = List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    private static String signed(String id, long seconds, String body) {
        return Signature.of(SECRETS, Signature.id(id), seconds, body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anIdWithDotsIsNotSignedAsAnotherIdWithAnotherTimeAndBody() {
        assertThat(signed("order.1700000000", 1_800_000_000, "{}"))
                .isNotEqualTo(signed("order", 1_700_000_000, "1800000000.{}"));
        assertThat(Signature.id("order.1%")).isEqualTo("order%2E1%25");
    }

    @Test
    void anIdWithoutDotsIsSignedAsItIs() {
        assertThat(Signature.id("order-42")).isEqualTo("order-42");
    }
}
