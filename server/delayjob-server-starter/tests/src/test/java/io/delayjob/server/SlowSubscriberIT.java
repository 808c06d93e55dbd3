package io.delayjob.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.testing.RealRedis;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One who does not read what it is sent, beside one who does. */
@Tag("proof")
@RealRedis
class SlowSubscriberIT {

    private static final int BATCH = 1000;
    private static final int BATCHES = 25;

    @Test
    void delaysNobodyAndIsToldOfWhatItHasMissed() throws IOException {
        try (TestServer server =
                        TestServer.start("delayjob.server.events.kept=2000", "delayjob.server.max-body-size=16MB");
                Socket slow = new Socket();
                EventClient fast = EventClient.listen(server, "?kind=submitted")) {
            BufferedReader unread = begin(slow, server);

            for (int batch = 0; batch < BATCHES; batch++) {
                submit(server, batch);
                int all = (batch + 1) * BATCH;
                await().until(() -> fast.events().size() >= all);
            }
            assertThat(fast.events())
                    .hasSize(BATCHES * BATCH)
                    .extracting(EventClient.Event::kind)
                    .containsOnly("submitted");

            List<String> read = readUntil(unread, "\"job-%d-%d\"".formatted(BATCHES - 1, BATCH - 1));
            assertThat(read).contains("event:gap", "data:{\"reason\":\"removed\"}");
            assertThat(read.stream()
                            .filter(line -> line.startsWith("data:{\"queue\""))
                            .toList())
                    .doesNotHaveDuplicates()
                    .hasSizeLessThan(BATCHES * BATCH);
        }
    }

    private static BufferedReader begin(Socket socket, TestServer server) throws IOException {
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(120_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        socket.getOutputStream()
                .write("GET /api/v1/events?kind=submitted HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n"
                        .formatted(TestServer.ADMIN)
                        .getBytes(StandardCharsets.US_ASCII));
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 512);
        assertThat(readUntil(lines, ":listening")).contains("HTTP/1.1 200 OK");
        return lines;
    }

    private static List<String> readUntil(BufferedReader lines, String last) throws IOException {
        List<String> read = new ArrayList<>();
        String line = lines.readLine();
        for (; line != null && !line.contains(last); line = lines.readLine()) {
            read.add(line);
        }
        assertThat(line).isNotNull();
        return read;
    }

    /** Names that make the events long, so that the buffers of the connection are full soon. */
    private static void submit(TestServer server, int batch) {
        String jobs = IntStream.range(0, BATCH)
                .mapToObj(i -> "{\"id\": \"job-%d-%d\", \"topic\": \"%s\", \"delay\": \"PT1H\"}"
                        .formatted(batch, i, "t".repeat(100)))
                .collect(Collectors.joining(","));
        assertThat(server.api()
                        .post("/queues/many/jobs/batch", "{\"jobs\": [" + jobs + "]}")
                        .status())
                .isEqualTo(200);
    }
}
