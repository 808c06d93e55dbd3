package io.delayjob.testing;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** The last lines of a stream, which it passes on to another. */
final class OutputTail extends OutputStream {

    private static final int LONGEST_LINE = 2_000;

    private final PrintStream next;
    private final int most;
    private final Deque<String> lines = new ArrayDeque<>();
    private final StringBuilder line = new StringBuilder();

    OutputTail(PrintStream next, int most) {
        this.next = next;
        this.most = most;
    }

    /** Begins to keep what this JVM prints. */
    static OutputTail ofStandardOutput(int most) {
        OutputTail tail = new OutputTail(System.out, most);
        System.setOut(new PrintStream(tail, true, StandardCharsets.UTF_8));
        return tail;
    }

    @Override
    public void write(int octet) {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] octets, int offset, int length) {
        next.write(octets, offset, length);
        keep(new String(octets, offset, length, StandardCharsets.UTF_8));
    }

    @Override
    public void flush() {
        next.flush();
    }

    private synchronized void keep(String text) {
        text.chars().forEach(c -> {
            if (c == '\n') {
                endLine();
            } else if (line.length() < LONGEST_LINE) {
                line.append((char) c);
            }
        });
    }

    private void endLine() {
        lines.add(line.toString());
        line.setLength(0);
        if (lines.size() > most) {
            lines.remove();
        }
    }

    synchronized String text() {
        return String.join("\n", lines) + (line.isEmpty() ? "" : "\n" + line);
    }
}
