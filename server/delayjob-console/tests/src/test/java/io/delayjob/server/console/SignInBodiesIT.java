package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.console.TestConsole.Kind;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies of sign-ins to the console, which are read before there is a token. */
@RealRedis
@Tag(Variants.TAG)
class SignInBodiesIT {

    @ParameterizedTest
    @MethodSource("io.delayjob.server.console.TestConsole#kinds")
    void aSignInThatDoesNotEndIsRefusedInTimeAndOneThatIsTooLargeAtOnce(Kind kind) throws IOException {
        try (TestConsole console = TestConsole.start(kind, "delayjob.server.body-timeout=5s")) {
            assertThat(answer(console, 100, "token=")).startsWith("HTTP/1.1 408 ");
            assertThat(answer(console, 1_000_000, "token=" + "x".repeat(1_000_000 - 6)))
                    .startsWith("HTTP/1.1 413 ");
        }
    }

    /** The answer to so much of a form. */
    private static String answer(TestConsole console, int length, String form) throws IOException {
        URI server = URI.create(console.url());
        try (Socket caller = new Socket(server.getHost(), server.getPort())) {
            caller.setSoTimeout(120_000);
            String head =
                    "POST /console/login HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n"
                            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + length
                            + "\r\n\r\n";
            caller.getOutputStream().write((head + form).getBytes(StandardCharsets.US_ASCII));
            return new String(caller.getInputStream().readNBytes(16), StandardCharsets.US_ASCII);
        }
    }
}
