package io.delayjob.server.app;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Callers that ask for more than is theirs, one of each role and one without a token, until they are closed. They run in a process of the lowest priority, so that a
 * good caller beside them sees what they cost the server, and not what they cost the machine. Notes how they are answered.
 */
final class GreedyCallers implements AutoCloseable {

    private final Map<String, String> tokens;
    private final Process process;
    private final BufferedWriter orders;
    private final BlockingQueue<Boolean> begun = new LinkedBlockingQueue<>();
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();

    /** Callers by their tokens, each under the name of its role. */
    GreedyCallers(String url, Map<String, String> tokens) throws IOException {
        this.tokens = tokens;
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(isPosix() ? List.of("nice", "-n", "19", java) : List.of(java));
        command.addAll(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath));
        command.add(GreedyProgram.class.getName());
        command.add(Integer.toString(URI.create(url).getPort()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        orders = process.outputWriter(StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read);
        reader.setDaemon(true);
        reader.start();
    }

    private static boolean isPosix() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(GreedyProgram.BEGUN)) {
                    begun.add(true);
                } else {
                    answers.add(JsonMapper.shared().readValue(line, String.class));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void order(GreedyProgram.Kind kind, int connections, String head, @Nullable String body) {
        try {
            orders.write(
                    JsonMapper.shared().writeValueAsString(new GreedyProgram.Order(kind, connections, head, body)));
            orders.newLine();
            orders.flush();
            if (begun.poll(2, TimeUnit.MINUTES) == null) {
                throw new IllegalStateException("the greedy callers do not begin");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Opens connections that begin with a text and go on with a byte every moment, without end. */
    void drip(int connections, String text) {
        order(GreedyProgram.Kind.DRIP, connections, text, null);
    }

    /**
     * Sends requests one after the other on some connections, and notes the answers. A connection that the server closes is opened anew.
     *
     * @param head of the requests, without the length of their body and their end
     * @param body of the requests; in it and in the head, {@link GreedyProgram#NUMBER} stands for the number of the request
     */
    void repeat(int connections, String head, String body) {
        order(GreedyProgram.Kind.REPEAT, connections, head, body);
    }

    /** Sends bytes on a connection as fast as the server takes them, after a text. */
    void pour(int connections, String text) {
        order(GreedyProgram.Kind.POUR, connections, text, null);
    }

    /** The first headers of a request. */
    String head(String method, String path, String role) {
        String token = tokens.containsKey(role) ? "Authorization: Bearer " + tokens.get(role) + "\r\n" : "";
        return method + " " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + token;
    }

    /** The headers of a POST whose body is to have a length. */
    String post(String path, String role, long length) {
        return head("POST", path, role) + GreedyProgram.end(length);
    }

    /** The headers of a GET. */
    String get(String path, String role) {
        return head("GET", path, role) + GreedyProgram.end(0);
    }

    /** Headers of the answers. */
    Queue<String> answers() {
        return answers;
    }

    @Override
    public void close() throws IOException {
        orders.close();
        process.onExit().orTimeout(2, TimeUnit.MINUTES).join();
    }
}
