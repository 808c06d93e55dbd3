package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged server, told by a property whose JSON Web Tokens to believe. */
@Tag("proof")
class WebTokensIT {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    @TempDir
    Path folder;

    @Test
    void theIssuersTokensOpenTheApiAndTheRestIsAsItWas() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        List<String> trusted =
                List.of("--spring.security.oauth2.resourceserver.jwt.public-key-location=file:" + written(keys));
        try (ServerProcess server = ServerProcess.startBare(folder, trusted)) {
            String url = server.url();
            String reader = token(keys, "openid delayjob.read delayjob.submit");

            assertThat(ask(url + "/api/v1/queues", reader).statusCode()).isEqualTo(200);
            assertThat(ask(url + "/api/v1/queues/q/jobs/a%2Fb%3B", reader).body())
                    .contains("no-such-job");
            assertThat(ask(url + "/api/v1/tokens", token(keys, "delayjob.admin"))
                            .statusCode())
                    .isEqualTo(404);
            for (String token : List.of("", "wrong", reader + "x")) {
                HttpResponse<String> refused = ask(url + "/api/v1/queues", token);
                assertThat(refused.statusCode()).isEqualTo(401);
                assertThat(refused.body()).contains("urn:delayjob:problem:unauthenticated");
            }
            for (String open : List.of("/actuator/health", "/api/openapi", "/api/try")) {
                assertThat(ask(url + open, "").statusCode()).as(open).isEqualTo(200);
            }
            assertThat(ask(url + "/actuator/prometheus", "").statusCode()).isEqualTo(401);
            assertThat(ask(url + "/actuator/prometheus", reader).statusCode()).isEqualTo(200);
            assertThat(server.log()).doesNotContain("first token", "password");
        }
    }

    private Path written(KeyPair keys) throws Exception {
        String key = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(keys.getPublic().getEncoded());
        return Files.writeString(
                folder.resolve("key.pem"), "-----BEGIN PUBLIC KEY-----\n" + key + "\n-----END PUBLIC KEY-----\n");
    }

    private static String token(KeyPair keys, String scope) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.RS256),
                new JWTClaimsSet.Builder()
                        .subject("ann")
                        .expirationTime(Date.from(Instant.now().plus(Duration.ofHours(1))))
                        .claim("scope", scope)
                        .build());
        token.sign(new RSASSASigner(keys.getPrivate()));
        return token.serialize();
    }

    private static HttpResponse<String> ask(String url, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
