package io.delayjob.server;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.Map;

/** An issuer of JSON Web Tokens, with a key of its own. */
final class WebTokenMaker {

    private final KeyPair keys;

    WebTokenMaker() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            keys = generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the public key to a file; returns the property that makes a server believe in it. */
    String trustedBy(Path folder) {
        try {
            String key = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(keys.getPublic().getEncoded());
            Path file = Files.writeString(
                    folder.resolve("key.pem"), "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n");
            return "spring.security.oauth2.resourceserver.jwt.public-key-location=file:" + file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A token that is valid for an hour. */
    String token(String subject, Map<String, Object> claims) {
        return token(subject, Instant.now().plus(Duration.ofHours(1)), claims);
    }

    String token(String subject, Instant end, Map<String, Object> claims) {
        JWTClaimsSet.Builder set = new JWTClaimsSet.Builder().subject(subject).expirationTime(Date.from(end));
        claims.forEach(set::claim);
        SignedJWT token = new SignedJWT(new JWSHeader(JWSAlgorithm.RS256), set.build());
        try {
            token.sign(new RSASSASigner(keys.getPrivate()));
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
        return token.serialize();
    }
}
