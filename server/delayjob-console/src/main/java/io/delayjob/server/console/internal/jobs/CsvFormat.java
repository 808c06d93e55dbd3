package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Comma-separated values (RFC 4180). A cell that a spreadsheet would take for a formula begins with an apostrophe; the last line begins with
 * a number sign.
 */
record CsvFormat(Redaction redaction) implements ExportFormat {

    private static final String FORMULA = "=+-@\t\r\n＝＋－＠";

    @Override
    public String head() {
        return FIELDS.stream().map(Field::name).collect(Collectors.joining(","))
                + ",priority,key,tags,headers,param,result,source\r\n";
    }

    @Override
    public String line(JobSnapshot job, String source) {
        Stream<String> own = Stream.of(
                text(job.options().priority()),
                text(job.options().key()),
                String.join(" ", job.options().tags()),
                job.headers().isEmpty() ? "" : redaction.shown(job.headers()).toString(),
                redaction.compact(job.param()),
                redaction.compact(job.result()),
                source);
        return Stream.concat(FIELDS.stream().map(field -> text(field.value().apply(job))), own)
                        .map(CsvFormat::cell)
                        .collect(Collectors.joining(","))
                + "\r\n";
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    static String cell(String text) {
        String safe = !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
        return safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r')
                ? '"' + safe.replace("\"", "\"\"") + '"'
                : safe;
    }

    @Override
    public String end(long jobs, long examined, @Nullable String cutOff) {
        return cell("# " + jobs + " jobs, " + examined + " looked at; " + (cutOff == null ? "complete" : cutOff))
                + "\r\n";
    }
}
