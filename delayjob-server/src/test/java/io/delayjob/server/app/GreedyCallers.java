package io.delayjob.server.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Callers that ask for more than is theirs, one of each role and one without a token, until they are closed. Note how they are answered. */
final class GreedyCallers implements AutoCloseable {

    private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");
    private static final long PAUSE_MILLIS = 500;

    private final int port;
    private final Map<String, String> tokens;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Socket> dripping = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private volatile boolean isClosed;

    /** Callers by their tokens, each under the name of its role. */
    GreedyCallers(String url, Map<String, String> tokens) {
        this.port = URI.create(url).getPort();
        this.tokens = tokens;
        threads.execute(this::dripOn);
    }

    /** The headers of a POST whose body is to have a length. */
    String post(String path, String role, long length) {
        return head("POST", path, role, length);
    }

    private String head(String method, String path, String role, long length) {
        String token = tokens.containsKey(role) ? "Authorization: Bearer " + tokens.get(role) + "\r\n" : "";
        return method + " " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + token
                + "Content-Length: " + length + "\r\n\r\n";
    }

    /** A request with its body. */
    String request(String method, String path, String role, String body) {
        return head(method, path, role, body.length()) + body;
    }

    /** The headers of a GET. */
    String get(String path, String role) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + tokens.get(role) + "\r\n\r\n";
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        return socket;
    }

    /** Opens connections that begin with a text and go on with a byte every moment, without end. */
    void drip(int connections, String text) throws IOException {
        for (int i = 0; i < connections; i++) {
            Socket socket = connect();
            socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
            dripping.add(socket);
        }
    }

    private void dripOn() {
        while (!isClosed) {
            for (Socket socket : dripping) {
                try {
                    socket.getOutputStream().write('x');
                } catch (IOException closedByTheServer) {
                    dripping.remove(socket);
                }
            }
            pause();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a request again and again on some connections, and notes the answers. A connection that the server closes is opened anew. */
    void repeat(int connections, String head, byte[] body) {
        byte[][] request = {head.getBytes(StandardCharsets.UTF_8), body};
        ask(connections, () -> request);
    }

    /** Sends requests one after the other on some connections, each made of its number, and notes the answers. */
    void repeat(int connections, IntFunction<String> request) {
        AtomicInteger number = new AtomicInteger();
        ask(connections, () ->
                new byte[][] {request.apply(number.getAndIncrement()).getBytes(StandardCharsets.UTF_8)});
    }

    private void ask(int connections, Supplier<byte[][]> requests) {
        for (int i = 0; i < connections; i++) {
            threads.execute(() -> {
                while (!isClosed) {
                    try (Socket socket = connect()) {
                        while (!isClosed) {
                            for (byte[] part : requests.get()) {
                                socket.getOutputStream().write(part);
                            }
                            answers.add(readAnswer(socket.getInputStream()));
                        }
                    } catch (IOException closedByTheServer) {
                        pause();
                    }
                }
            });
        }
    }

    /** Sends bytes on a connection as fast as the server takes them, after a text. */
    void pour(int connections, String text, byte[] bytes) {
        for (int i = 0; i < connections; i++) {
            threads.execute(() -> {
                while (!isClosed) {
                    try (Socket socket = connect()) {
                        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                        while (!isClosed) {
                            socket.getOutputStream().write(bytes);
                        }
                    } catch (IOException closedByTheServer) {
                        pause();
                    }
                }
            });
        }
    }

    /** The headers of an answer whose body has a length; of a fault of the server the body as well. */
    private static String readAnswer(InputStream connection) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int read = connection.read();
            if (read < 0) {
                throw new SocketException("closed after: " + head);
            }
            head.append((char) read);
        }
        String text = head.toString().toLowerCase(Locale.ROOT);
        Matcher length = LENGTH.matcher(text);
        byte[] body = connection.readNBytes(length.find() ? Integer.parseInt(length.group(1)) : 0);
        return text.startsWith("http/1.1 5") ? text + new String(body, StandardCharsets.UTF_8) : text;
    }

    /** Headers of the answers. */
    Queue<String> answers() {
        return answers;
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        threads.shutdownNow();
        for (Socket socket : sockets) {
            socket.close();
        }
        try {
            if (!threads.awaitTermination(1, TimeUnit.MINUTES)) {
                throw new IllegalStateException("a greedy caller does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
