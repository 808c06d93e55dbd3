package io.delayjob.server.internal.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayjob.server.Grant;
import io.delayjob.server.Role;
import io.delayjob.server.internal.limits.Address;
import io.delayjob.server.limits.Limits;
import io.github.bucket4j.TimeMeter;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.ErrorResponseException;

/** Tokens that are looked for, and the log of wrong ones, on a clock that stands still until it is moved. */
@ExtendWith(OutputCaptureExtension.class)
class LoginsTest {

    private static final String WRONG = "unknown, revoked or expired came from ";
    private static final Token VALID =
            new Token("ann", Set.of(Role.READ), Grant.ALL_QUEUES, Instant.EPOCH, null, Limits.DEFAULT);

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private final Logins logins = new Logins(
            digest -> {
                asked.incrementAndGet();
                return find(digest);
            },
            LoginsTest::find,
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

    private static CompletableFuture<Optional<Token>> find(String digest) {
        return CompletableFuture.completedFuture(
                Optional.of(VALID).filter(valid -> digest.equals(Secrets.digest("valid"))));
    }

    private void send(String secret, String address) {
        try {
            var unused = logins.find(secret, Address.of(InetAddress.getByName(address)))
                    .join();
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

    /** Many callers may come by one address, that of a proxy. */
    @Test
    void aValidTokenIsFoundWhateverElseComesFromItsAddressAndRedisIsNotAskedForEach() {
        for (int i = 0; i < 1000; i++) {
            send("guess-" + i, "192.0.2.1");
        }
        assertThat(asked).hasValue(1000);

        assertThatThrownBy(() -> send("guess", "192.0.2.1"))
                .hasCauseInstanceOf(ErrorResponseException.class)
                .hasMessageContaining("429");

        send("valid", "192.0.2.1");
        assertThat(asked).hasValue(1000);
        send("guess", "192.0.2.2");
        assertThat(asked).hasValue(1001);
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
