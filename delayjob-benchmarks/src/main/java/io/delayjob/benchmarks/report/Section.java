package io.delayjob.benchmarks.report;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The part of the page that shows one workload.
 *
 * @param picture the file of its picture, empty if it has none
 */
record Section(String workload, String title, String text, String picture, List<Column> columns) {

    /** The part as Markdown; nothing if the workload was not measured. */
    String render(Results results) {
        List<Measurement> rows = results.of(workload);
        if (rows.isEmpty()) {
            return "";
        }
        return "## %s\n\n%s\n\n%s%s\n%s".formatted(title, text, image(), table(rows), notes(rows));
    }

    private String image() {
        return picture.isEmpty() ? "" : "![%s](images/performance/%s)\n\n".formatted(title, picture);
    }

    private String table(List<Measurement> rows) {
        List<Column> shown = columns.stream()
                .filter(column -> rows.stream().anyMatch(row -> row.runs(column.value()) > 0))
                .toList();
        StringBuilder table = new StringBuilder("| | |");
        shown.forEach(column -> table.append(' ').append(column.head()).append(" |"));
        table.append(" delivery |\n|---|---|")
                .append("---:|".repeat(shown.size()))
                .append("---|\n");
        rows.forEach(row -> table.append(line(row, shown)));
        return table.toString();
    }

    private static String line(Measurement row, List<Column> shown) {
        return Stream.of(
                        Stream.of(row.contender(), row.variant()),
                        shown.stream().map(column -> column.cell(row)),
                        Stream.of(delivery(row)))
                .flatMap(cells -> cells)
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** What became of the jobs: a run of this project that was not exact does not count. */
    private static String delivery(Measurement row) {
        if (row.faults().isEmpty()) {
            return row.runs("ran") == 0 ? "" : "exact";
        }
        String faults = String.join("; ", row.faults());
        return row.contender().equals("delayjob") ? "**INVALID**: " + faults : faults;
    }

    private static String notes(List<Measurement> rows) {
        Set<String> notes = new LinkedHashSet<>();
        rows.forEach(row -> row.notes()
                .forEach(note -> notes.add("- %s %s: %s\n".formatted(row.contender(), row.variant(), note))));
        return notes.isEmpty() ? "" : String.join("", notes) + "\n";
    }
}
