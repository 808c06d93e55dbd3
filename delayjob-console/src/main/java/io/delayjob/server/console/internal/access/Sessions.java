package io.delayjob.server.console.internal.access;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.internal.web.Digests;
import io.delayjob.server.internal.web.ServerRedis;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.redisson.api.RBucket;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Sign-ins with a token, in Redis, so that any server knows them. The browser has a random secret; Redis has, under a digest of it, the
 * token, encrypted with a key that follows from it. So neither alone gives the token away, and a sign-out ends it everywhere.
 */
public final class Sessions {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SECRET = 32;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final ServerRedis redis;
    private final String prefix;
    private final Duration length;

    /**
     * The sign-ins in a Redis.
     *
     * @param length how long each lasts
     */
    public Sessions(ServerRedis redis, Duration length) {
        this.redis = redis;
        this.prefix = redis.key("console:session:");
        this.length = length;
    }

    Duration length() {
        return length;
    }

    /** Keeps a token; the secret to get it with. */
    CompletableFuture<String> open(String token) {
        String secret = Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET));
        return redis.ask(() -> bucket(secret).setAsync(encrypted(secret, token), length))
                .thenApply(done -> secret);
    }

    /** The token of a secret; empty if there is none any more. */
    CompletableFuture<Optional<String>> token(String secret) {
        return redis.ask(() -> bucket(secret).getAsync())
                .thenApply(text -> Optional.ofNullable(text).flatMap(kept -> decrypted(secret, kept)));
    }

    /**
     * Completes when the sign-in that a request was made with ends by itself; never if it was made without one. Asks Redis once: that
     * somebody signs out before is not noticed.
     */
    public Mono<Void> end(ServerWebExchange exchange) {
        String secret = exchange.getAttribute(Pages.SIGN_IN);
        return secret == null
                ? Mono.never()
                : Mono.fromFuture(() -> redis.ask(() -> bucket(secret).remainTimeToLiveAsync()))
                        .flatMap(millis -> Mono.delay(Duration.ofMillis(Math.max(0, millis))))
                        .onErrorResume(failure -> Mono.never())
                        .then();
    }

    CompletableFuture<Boolean> close(String secret) {
        return redis.ask(() -> bucket(secret).deleteAsync());
    }

    private RBucket<String> bucket(String secret) {
        return redis.client().getBucket(prefix + Digests.sha256("id:" + secret), DelayJobRedis.TEXT);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    private static String encrypted(String secret, String token) {
        byte[] nonce = random(NONCE);
        byte[] hidden = cipher(Cipher.ENCRYPT_MODE, secret, nonce, token.getBytes(StandardCharsets.UTF_8))
                .orElseThrow(() -> new IllegalStateException("every JDK has AES/GCM"));
        return Base64.getEncoder()
                .encodeToString(ByteBuffer.allocate(NONCE + hidden.length)
                        .put(nonce)
                        .put(hidden)
                        .array());
    }

    private static Optional<String> decrypted(String secret, String kept) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(kept));
            byte[] nonce = new byte[NONCE];
            bytes.get(nonce);
            byte[] hidden = new byte[bytes.remaining()];
            bytes.get(hidden);
            return cipher(Cipher.DECRYPT_MODE, secret, nonce, hidden)
                    .map(token -> new String(token, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            // Written by nobody who knows the secret.
            return Optional.empty();
        }
    }

    private static Optional<byte[]> cipher(int mode, String secret, byte[] nonce, byte[] text) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            byte[] key = HexFormat.of().parseHex(Digests.sha256("key:" + secret));
            cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
            return Optional.of(cipher.doFinal(text));
        } catch (GeneralSecurityException e) {
            return Optional.empty();
        }
    }
}
