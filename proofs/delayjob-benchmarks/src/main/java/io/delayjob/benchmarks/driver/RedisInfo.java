package io.delayjob.benchmarks.driver;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads what INFO of a Redis says. */
final class RedisInfo {

    private static final Pattern STAT = Pattern.compile("cmdstat_([^:]+):calls=(\\d+),usec=(\\d+)", Pattern.MULTILINE);
    private static final Pattern SCRIPT_P99 =
            Pattern.compile("latency_percentiles_usec_(?:eval|fcall)[^:]*:.*?p99=([\\d.]+)", Pattern.MULTILINE);
    private static final Pattern SCRIPT = Pattern.compile("eval.*|fcall.*");

    private RedisInfo() {}

    static Meter meter(String info) {
        long scripts = 0;
        long micros = 0;
        for (Matcher stat = STAT.matcher(info); stat.find(); ) {
            if (SCRIPT.matcher(stat.group(1)).matches()) {
                scripts += Long.parseLong(stat.group(2));
                micros += Long.parseLong(stat.group(3));
            }
        }
        double seconds = number(info, "used_cpu_sys") + number(info, "used_cpu_user");
        return new Meter(seconds, (long) number(info, "total_reads_processed"), scripts, micros, (long)
                number(info, "used_memory"));
    }

    /** How often each command ran, by its name; those that scripts send are among them. */
    static Map<String, Long> calls(String info) {
        return STAT.matcher(info)
                .results()
                .collect(Collectors.toMap(stat -> stat.group(1), stat -> Long.parseLong(stat.group(2))));
    }

    /** p99 duration of script calls, µs; empty if the server does not report it. */
    static OptionalDouble scriptMicros99(String info) {
        return SCRIPT_P99
                .matcher(info)
                .results()
                .mapToDouble(stat -> Double.parseDouble(stat.group(1)))
                .max();
    }

    static double number(String info, String field) {
        return info.lines()
                .filter(line -> line.startsWith(field + ":"))
                .mapToDouble(line -> Double.parseDouble(line.substring(field.length() + 1)))
                .findFirst()
                .orElse(0);
    }
}
