package io.delayjob.reliability.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FaultProxyIT {

    private static final int COUNT = 3000;

    @Test
    void keepsTheOrderWhileDelaysComeAndGo() throws IOException {
        Random random = new Random(1);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                FaultProxy proxy = new FaultProxy(server.getLocalPort());
                Socket client = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
                Socket accepted = server.accept()) {
            client.setTcpNoDelay(true);
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            for (int i = 0; i < COUNT; i++) {
                if (i % 50 == 0) {
                    proxy.delay(Duration.ZERO, Duration.ofMillis(i % 100 == 0 ? 2 : 0), random);
                }
                out.writeInt(i);
            }
            DataInputStream in = new DataInputStream(accepted.getInputStream());
            List<Integer> arrived = new ArrayList<>();
            for (int i = 0; i < COUNT; i++) {
                arrived.add(in.readInt());
            }

            assertThat(arrived).isEqualTo(IntStream.range(0, COUNT).boxed().toList());
        }
    }
}
