package io.delayjob.reliability.bare;

import io.delayjob.reliability.harness.Report;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All rows of a run: printed as they come, and written as a table at the end. Thread-safe. */
final class FaultTable implements AutoCloseable {

    private final Map<String, Comparison.Row> rows = new TreeMap<>();

    synchronized void enter(String fault, Comparison.Row row) {
        rows.put(fault, row);
        System.out.printf(Locale.ROOT, "%s: bare: %s. delayjob: %s%n", fault, row.bare(), row.delayjob());
    }

    @Override
    public synchronized void close() throws IOException {
        Report.give("faults", table());
    }

    private String table() {
        StringBuilder table = new StringBuilder();
        table.append("| fault | what was done | bare RDelayedQueue | delayjob | cause |\n|---|---|---|---|---|\n");
        rows.forEach((fault, row) -> table.append(
                "| %s | %s | %s | %s | %s |\n".formatted(fault, row.done(), row.bare(), row.delayjob(), row.cause())));
        String servers =
                rows.values().stream().map(Comparison.Row::redis).distinct().collect(Collectors.joining(", "));
        return table.append("\n%d faults, %s\n".formatted(rows.size(), servers)).toString();
    }
}
