package io.delayjob.server.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The program of {@link GreedyCallers}. Takes an order by each line of its input, answers each once it has begun, and prints how the server answered. */
final class GreedyProgram {

    /** Says that an order has begun. */
    static final String BEGUN = "begun";

    /** Stands in a request for its number. */
    static final String NUMBER = "{number}";

    private static final Pattern LENGTH = Pattern.compile("content-length: (\\d+)");
    private static final long PAUSE_MILLIS = 500;
    private static final byte[] POURED = new byte[64 * 1024];

    private final int port;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Socket> dripping = new ConcurrentLinkedQueue<>();

    private GreedyProgram(int port) {
        this.port = port;
    }

    enum Kind {
        DRIP,
        REPEAT,
        POUR
    }

    /** An order of {@link GreedyCallers}, whose methods describe the kinds. */
    record Order(
            Kind kind,
            int connections,
            String head,
            @Nullable String body) {}

    /**
     * Runs until its input ends.
     *
     * @param arguments the port of the server
     */
    public static void main(String[] arguments) throws IOException {
        GreedyProgram program = new GreedyProgram(Integer.parseInt(arguments[0]));
        program.threads.execute(program::dripOn);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            program.follow(JsonMapper.shared().readValue(line, Order.class));
            print(BEGUN);
        }
        Runtime.getRuntime().halt(0);
    }

    private static synchronized void print(String line) {
        System.out.println(line);
    }

    private void follow(Order order) throws IOException {
        switch (order.kind()) {
            case DRIP -> drip(order);
            case REPEAT -> repeat(order);
            case POUR -> pour(order);
        }
    }

    /** The length of a body and the end of the headers. */
    static String end(long length) {
        return "Content-Length: " + length + "\r\n\r\n";
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    private void drip(Order order) throws IOException {
        for (int i = 0; i < order.connections(); i++) {
            Socket socket = connect();
            socket.getOutputStream().write(order.head().getBytes(StandardCharsets.UTF_8));
            dripping.add(socket);
        }
    }

    private void dripOn() {
        while (true) {
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
            throw new IllegalStateException(e);
        }
    }

    private void repeat(Order order) {
        Supplier<byte[]> requests = requests(order);
        for (int i = 0; i < order.connections(); i++) {
            threads.execute(() -> {
                while (true) {
                    try (Socket socket = connect()) {
                        while (true) {
                            socket.getOutputStream().write(requests.get());
                            print(JsonMapper.shared().writeValueAsString(readAnswer(socket.getInputStream())));
                        }
                    } catch (IOException closedByTheServer) {
                        pause();
                    }
                }
            });
        }
    }

    private static Supplier<byte[]> requests(Order order) {
        String body = order.body() == null ? "" : order.body();
        if (!(order.head() + body).contains(NUMBER)) {
            byte[] request = request(order.head(), body);
            return () -> request;
        }
        AtomicInteger number = new AtomicInteger();
        return () -> {
            String next = Integer.toString(number.getAndIncrement());
            return request(order.head().replace(NUMBER, next), body.replace(NUMBER, next));
        };
    }

    private static byte[] request(String head, String body) {
        return (head + end(body.length()) + body).getBytes(StandardCharsets.US_ASCII);
    }

    private void pour(Order order) {
        for (int i = 0; i < order.connections(); i++) {
            threads.execute(() -> {
                while (true) {
                    try (Socket socket = connect()) {
                        socket.getOutputStream().write(order.head().getBytes(StandardCharsets.UTF_8));
                        while (true) {
                            socket.getOutputStream().write(POURED);
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
}
