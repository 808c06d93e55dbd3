package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.TestServer.Kind;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Many requests on one connection, each sent as soon as the one before it is answered. */
@RealRedis
@Tag(Variants.TAG)
class OneConnectionIT {

    static Stream<Kind> kinds() {
        return Variants.of(Kind.NETTY, List.of(Kind.NETTY, Kind.TOMCAT));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void allAreAnswered(Kind kind) {
        try (TestServer server = kind.start()) {
            Api api = server.api();
            for (int i = 0; i < Variants.tries(300, 3000); i++) {
                assertThat(api.get("/queues/connection").status()).isEqualTo(200);
            }
        }
    }
}
