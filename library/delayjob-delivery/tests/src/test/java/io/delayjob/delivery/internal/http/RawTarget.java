package io.delayjob.delivery.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A target that writes to its connections what a test says, HTTP or not. */
final class RawTarget implements AutoCloseable {

    /** Writes an answer. */
    @FunctionalInterface
    interface Answer {

        void write(OutputStream connection) throws IOException;
    }

    private final ServerSocket server;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();

    RawTarget() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "raw-target");
        thread.setDaemon(true);
        thread.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/");
    }

    /** Answers one more request with this text as it is. */
    RawTarget answering(String text) {
        return answering(connection -> connection.write(text.getBytes(StandardCharsets.US_ASCII)));
    }

    RawTarget answering(Answer answer) {
        answers.add(answer);
        return this;
    }

    /** Writes a text to all open connections, though nobody asked. */
    void writeUnasked(String text) throws IOException {
        for (Socket socket : open) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    int connections() {
        return connections.get();
    }

    /** How many of them the caller has closed. */
    int closed() {
        return closed.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                connections.incrementAndGet();
                open.add(socket);
                start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The end of the test.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            while (readRequest(socket.getInputStream())) {
                Answer answer = answers.remove();
                answer.write(socket.getOutputStream());
            }
        } catch (IOException e) {
            // The caller has closed it while something was written.
        } finally {
            open.remove(socket);
            closed.incrementAndGet();
        }
    }

    private static boolean readRequest(InputStream connection) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = connection.read();
            if (read < 0) {
                return false;
            }
            head.append((char) read);
        }
        String text = head.toString();
        int length = text.indexOf("content-length: ") + "content-length: ".length();
        connection.readNBytes(Integer.parseInt(text.substring(length, text.indexOf("\r\n", length))));
        return true;
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
