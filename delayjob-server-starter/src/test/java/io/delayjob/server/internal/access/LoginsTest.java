package io.delayjob.server.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.github.bucket4j.TimeMeter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Log of wrong tokens, on a clock that stands still until it is moved. */
@ExtendWith(OutputCaptureExtension.class)
class LoginsTest {

    private static final String WRONG = "unknown, revoked or expired came from ";
    private static final Token VALID = new Token("ann", Set.of(Role.READ), Grant.ALL_QUEUES, Instant.EPOCH, null, null);

    private final AtomicLong nanos = new AtomicLong();
    private final Logins logins = new Logins(
            digest -> CompletableFuture.completedFuture(
                    Optional.of(VALID).filter(valid -> digest.equals(Secrets.digest("valid")))),
            1000,
            new TimeMeter() {
                @Override
                public long currentTimeNanos() {
                    return nanos.get();
                }

                @Override
                public boolean isWallClockBased() {
                    return false;
                }
            });

    private void send(String secret, String address) {
        try {
            var unused = logins.find(secret, InetAddress.getByName(address)).join();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private void passAMinute() {
        nanos.addAndGet(Duration.ofSeconds(61).toNanos());
    }

    private static int lines(CapturedOutput output) {
        return output.toString().split(WRONG, -1).length - 1;
    }

    @Test
    void aWrongTokenIsLoggedOnceAMinuteWithItsAddressAndWithoutTheToken(CapturedOutput output) {
        send("valid", "192.0.2.1");
        assertThat(lines(output)).isZero();

        for (int i = 0; i < 500; i++) {
            send("guess-" + i, "192.0.2.1");
        }
        send("guess", "192.0.2.2");
        assertThat(output).containsOnlyOnce(WRONG + "192.0.2.1;").containsOnlyOnce(WRONG + "192.0.2.2;");

        passAMinute();
        send("guess", "192.0.2.1");
        assertThat(lines(output)).isEqualTo(3);
        assertThat(output).doesNotContain("guess");
    }

    @Test
    void wrongTokensOfManyAddressesAreLoggedSixtyTimesAMinute(CapturedOutput output) {
        for (int i = 0; i < 200; i++) {
            send("guess", "198.51.100." + i);
        }
        assertThat(lines(output)).isEqualTo(60);

        passAMinute();
        for (int i = 0; i < 200; i++) {
            send("guess", "203.0.113." + i);
        }
        assertThat(lines(output)).isEqualTo(120);
    }
}
