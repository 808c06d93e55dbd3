package io.delayjob.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.Api.Answer;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that are answered before their bodies are read to the end, and what comes next on their connections. */
@RealRedis
@Tag(Variants.TAG)
class UnreadBodiesIT {

    private static String request(String line, String token, String more) {
        return line + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n" + more + "\r\n";
    }

    private static String firstLine(InputStream answer) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int character = answer.read(); character >= 0 && character != '\n'; character = answer.read()) {
            line.append((char) character);
        }
        return line.toString();
    }

    /** Sends what may come too late, because the server has ended the connection. */
    private static void sendLate(OutputStream connection, String text) {
        try {
            connection.write(text.getBytes(US_ASCII));
        } catch (IOException closed) {
            // The server may have ended the connection.
        }
    }

    private static String rest(InputStream answers) {
        try {
            return new String(answers.readAllBytes(), US_ASCII);
        } catch (IOException closed) {
            return "";
        }
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.TestServer#stacks")
    void aBodyThatComesAfterItsAnswerIsNotTheNextRequest(TestServer.Kind kind) throws IOException {
        try (TestServer server = kind.start();
                Socket caller = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            caller.setSoTimeout(120_000);
            String body = request("GET /api/v1/queues/smuggled", TestServer.ADMIN, "");
            OutputStream out = caller.getOutputStream();
            out.write(request(
                            "POST /api/v1/queues/q/jobs",
                            "wrong",
                            "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n")
                    .getBytes(US_ASCII));

            assertThat(firstLine(caller.getInputStream())).contains("401");
            sendLate(out, body + request("GET /api/v1/queues/next", TestServer.ADMIN, "Connection: close\r\n"));

            assertThat(rest(caller.getInputStream())).doesNotContain("smuggled");
        }
    }

    private static void check(Answer answer, int status) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(status);
    }

    @ParameterizedTest
    @MethodSource("io.delayjob.server.TestServer#stacks")
    void aRequestAfterARefusedOneIsAnswered(TestServer.Kind kind) {
        try (TestServer server = kind.start("delayjob.server.max-body-size=100KB")) {
            Api api = server.api();
            String job = "{\"topic\": \"t\", \"delay\": \"PT1H\"}";
            String large = "{\"topic\": \"t\", \"delay\": \"PT1H\", \"param\": \"" + "x".repeat(150_000) + "\"}";
            for (int i = 0; i < 50; i++) {
                check(api.postOnce("/queues/q/jobs", large), 413);
                check(api.postOnce("/queues/q/jobs", job), 201);
                check(server.api("wrong").postOnce("/queues/q/jobs", job), 401);
                check(api.postOnce("/queues/q/jobs", job), 201);
            }
        }
    }
}
