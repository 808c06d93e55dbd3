package io.delayjob.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A caller that writes to its connection what a test says, and no more: HTTP that is never finished, as a rule. */
record RawCaller(Socket socket) implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 120_000;

    static RawCaller to(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return new RawCaller(socket);
    }

    /** Sends the headers of a POST whose body is to have a length, and nothing of it. */
    static RawCaller posting(int port, String path, String token, long length, String... more) throws IOException {
        String authorization = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        String headers = Stream.of(more).map(header -> header + "\r\n").collect(Collectors.joining());
        return to(port).send("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + authorization + headers + "Content-Length: " + length + "\r\n\r\n");
    }

    RawCaller send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.UTF_8));
    }

    RawCaller send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /** The status of the answer, as soon as its first line is there. */
    int status() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = socket.getInputStream().read();
                read != '\n';
                read = socket.getInputStream().read()) {
            if (read < 0) {
                throw new IOException("the connection was closed after: " + line);
            }
            line.append((char) read);
        }
        return Integer.parseInt(line.toString().split(" ", -1)[1]);
    }

    /** Reads until a text comes. */
    void await(String text) throws IOException {
        StringBuilder read = new StringBuilder();
        while (read.indexOf(text) < 0) {
            int one = socket.getInputStream().read();
            if (one < 0) {
                throw new IOException("the connection was closed after: " + read);
            }
            read.append((char) one);
        }
    }

    /** Sends a byte if the server still takes one, and says whether it has closed the connection. */
    boolean isClosedAfterOneMoreByte() {
        try {
            socket.setSoTimeout(1);
            socket.getOutputStream().write('x');
            while (true) {
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            }
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException closed) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
