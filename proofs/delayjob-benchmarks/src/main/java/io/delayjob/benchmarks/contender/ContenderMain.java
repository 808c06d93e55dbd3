package io.delayjob.benchmarks.contender;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs a contender in a process of its own: reads commands from standard input, a line of JSON each, and answers each with a line
 * of JSON on standard output. What the contender prints goes to standard error. Ends with its input.
 */
public final class ContenderMain {

    private static final JsonMapper JSON = new JsonMapper();

    private ContenderMain() {}

    /** Answers commands until the input ends. */
    public static void main(String[] args) throws IOException {
        PrintStream answers = new PrintStream(System.out, true, UTF_8);
        System.setOut(System.err);
        Session session = new Session();
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                answers.println(JSON.writeValueAsString(answer(session, line)));
            }
        }
        // Threads that a contender leaves behind must not keep the process.
        System.exit(0);
    }

    private static Map<String, Object> answer(Session session, String line) {
        try {
            return session.answer(JSON.readTree(line));
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return Map.of("error", e.toString());
        }
    }
}
