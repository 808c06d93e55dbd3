package io.delayjob.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes requests on to a server, and loses the answer of as many as it is told: it reads its beginning and closes the connection. */
final class LossyProxy implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger losses = new AtomicInteger();
    private final URI server;

    LossyProxy(URI server) throws IOException {
        this.server = server;
        threads.execute(this::accept);
    }

    void lose(int answers) {
        losses.set(answers);
    }

    int left() {
        return losses.get();
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = socket.accept();
                threads.execute(() -> serve(client));
            }
        } catch (IOException e) {
            // Closed.
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket to = new Socket(server.getHost(), server.getPort())) {
            threads.execute(() -> requests(client, to));
            byte[] buffer = new byte[65_536];
            InputStream answers = to.getInputStream();
            for (int read = answers.read(buffer); read >= 0; read = answers.read(buffer)) {
                if (losses.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    return;
                }
                client.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One side hung up.
        }
    }

    private static void requests(Socket client, Socket to) {
        try {
            client.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One side hung up.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        threads.shutdownNow();
    }
}
