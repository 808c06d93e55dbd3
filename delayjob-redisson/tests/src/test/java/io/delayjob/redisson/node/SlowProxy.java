package io.delayjob.redisson.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** A way to Redis on which answers come with so many bytes a second at most, on each connection. */
final class SlowProxy implements AutoCloseable {

    private static final int CHUNK = 4096;

    private final URI redis;
    private final long bytesPerSecond;
    private final ServerSocket server;

    SlowProxy(String url, long bytesPerSecond) throws IOException {
        this.redis = URI.create(url);
        this.bytesPerSecond = bytesPerSecond;
        this.server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    String url() {
        return redis.toString().replace(redis.getHost() + ":" + redis.getPort(), "127.0.0.1:" + server.getLocalPort());
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            Socket upstream = new Socket(redis.getHost(), redis.getPort());
            start(() -> copy(client, upstream, 0));
            start(() -> copy(upstream, client, CHUNK * 1000L / bytesPerSecond));
        }
    }

    private static void copy(Socket from, Socket to, long millisPerChunk) throws IOException, InterruptedException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] chunk = new byte[CHUNK];
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                if (read == CHUNK) {
                    Thread.sleep(millisPerChunk);
                }
                out.write(chunk, 0, read);
            }
        }
    }

    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    private static void start(Step step) {
        Thread thread = new Thread(() -> {
            try {
                step.run();
            } catch (IOException | InterruptedException e) {
                // one of the two has closed it
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
