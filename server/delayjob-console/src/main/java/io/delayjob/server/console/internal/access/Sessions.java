package io.delayjob.server.console.internal.access;

import io.delayjob.redisson.autoconfigure.DelayJobRedis;
import io.delayjob.server.console.internal.pages.Pages;
import io.delayjob.server.redis.ServerRedis;
import io.delayjob.support.Digests;
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
import org.redisson.api.RAtomicLong;
import org.redisson.api.RBucket;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Sign-ins with a token, in Redis, so that any server knows them. The browser has a random secret; Redis has the token, encrypted with a key that
 * follows from that secret. So neither alone gives the token away, and a sign-out ends it everywhere. Each caller has so many places for them, which are
 * taken in turn: a new sign-in beyond that takes the place of the oldest, which ends.
 */
public final class Sessions {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SECRET = 32;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;

    private final ServerRedis redis;
    private final String prefix;
    private final Duration length;
    private final int mostPerCaller;

    /**
     * The sign-ins in a Redis.
     *
     * @param length how long each lasts
     * @param mostPerCaller how many a caller has at once
     */
    public Sessions(ServerRedis redis, Duration length, int mostPerCaller) {
        this.redis = redis;
        this.prefix = redis.key("console:session:");
        this.length = length;
        this.mostPerCaller = mostPerCaller;
    }

    /**
     * A sign-in, as the cookie of a browser has it.
     *
     * @param place where Redis has the token
     * @param secret the secret that the key to decrypt the token follows from
     */
    private record SignIn(String place, String secret) {

        private static final char END_OF_PLACE = '.';

        static SignIn of(String cookie) {
            int end = Math.max(0, cookie.indexOf(END_OF_PLACE));
            return new SignIn(cookie.substring(0, end), cookie.substring(end));
        }

        /** In one of the places of a caller. */
        static SignIn in(String caller, long place) {
            return of(Digests.sha256(place + " of " + caller)
                    + END_OF_PLACE
                    + Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET)));
        }

        String cookie() {
            return place + secret;
        }
    }

    Duration length() {
        return length;
    }

    /** Keeps a token of a caller; what a browser needs to get it. */
    CompletableFuture<String> open(String caller, String token) {
        RAtomicLong opened = redis.client().getAtomicLong(redis.key("console:sign-ins:" + Digests.sha256(caller)));
        return redis.ask(() -> opened.incrementAndGetAsync())
                .thenCompose(
                        number -> redis.ask(() -> opened.expireAsync(length)).thenApply(kept -> number))
                .thenCompose(number -> keep(SignIn.in(caller, number % mostPerCaller), token));
    }

    private CompletableFuture<String> keep(SignIn signIn, String token) {
        return redis.ask(() -> bucket(signIn).setAsync(encrypted(signIn.secret(), token), length))
                .thenApply(done -> signIn.cookie());
    }

    /** The token of a sign-in; empty if it has ended. */
    CompletableFuture<Optional<String>> token(String cookie) {
        SignIn signIn = SignIn.of(cookie);
        return redis.ask(() -> bucket(signIn).getAsync())
                .thenApply(text -> Optional.ofNullable(text).flatMap(kept -> decrypted(signIn.secret(), kept)));
    }

    /** Whether the sign-in that a request was made with has not ended; true if it was made without one. */
    public Mono<Boolean> isOpen(ServerWebExchange exchange) {
        String cookie = exchange.getAttribute(Pages.SIGN_IN);
        return cookie == null
                ? Mono.just(true)
                : Mono.fromFuture(() -> token(cookie)).map(Optional::isPresent);
    }

    /** Ends a sign-in, unless another one has taken its place already. */
    CompletableFuture<Boolean> close(String cookie) {
        SignIn signIn = SignIn.of(cookie);
        RBucket<String> bucket = bucket(signIn);
        return redis.ask(() -> bucket.getAsync())
                .thenCompose(
                        kept -> kept != null && decrypted(signIn.secret(), kept).isPresent()
                                ? redis.ask(() -> bucket.compareAndSetAsync(kept, null))
                                : CompletableFuture.completedFuture(false));
    }

    private RBucket<String> bucket(SignIn signIn) {
        return redis.client().getBucket(prefix + Digests.sha256("id:" + signIn.place()), DelayJobRedis.TEXT);
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
