package io.delayjob.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Sends commands over one plain connection and reads the replies as text. Not thread-safe. */
record RespClient(Socket socket, InputStream in) implements AutoCloseable {
    /** Connects, and logs in with a password; a server that has none is let be. */
    static RespClient connect(InetSocketAddress address, Duration timeout, @Nullable String password)
            throws IOException {
        RespClient client = connect(address, timeout);
        try {
            client.logIn(password);
            return client;
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    private void logIn(@Nullable String password) throws IOException {
        try {
            if (password != null) {
                call("AUTH", password);
            }
        } catch (RespError e) {
            if (!e.is("ERR")) {
                throw e;
            }
        }
    }

    static RespClient connect(InetSocketAddress address, Duration timeout) throws IOException {
        int millis = Math.toIntExact(timeout.toMillis());
        Socket socket = new Socket();
        try {
            socket.connect(address, millis);
            socket.setSoTimeout(millis);
            return new RespClient(socket, new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns the reply, the elements of an array joined by line feeds; throws {@link RespError} for an error reply. */
    String call(String... words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            command.append("$%d\r\n%s\r\n".formatted(word.getBytes(UTF_8).length, word));
        }
        socket.getOutputStream().write(command.toString().getBytes(UTF_8));
        return reply();
    }

    private String reply() throws IOException {
        String line = line();
        String rest = line.substring(Math.min(1, line.length()));
        return switch (line.isEmpty() ? ' ' : line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> array(Integer.parseInt(rest));
            case '-' -> throw new RespError(rest);
            default -> throw new IOException("not a Redis reply: " + line);
        };
    }

    private String array(int size) throws IOException {
        StringJoiner elements = new StringJoiner("\n");
        for (int i = 0; i < size; i++) {
            elements.add(reply());
        }
        return elements.toString();
    }

    private String bulk(int length) throws IOException {
        return length < 0 ? "" : new String(in.readNBytes(length + 2), 0, length, UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the server closed the connection");
            }
            line.write(b);
        }
        return line.toString(UTF_8).stripTrailing();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to release
        }
    }
}
