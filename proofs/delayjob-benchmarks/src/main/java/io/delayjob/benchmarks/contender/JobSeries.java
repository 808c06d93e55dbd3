package io.delayjob.benchmarks.contender;

import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/**
 * Jobs with numbers in a row, their due times spread evenly.
 *
 * @param from the first number
 * @param dueMillis when the first is due, epoch ms
 * @param spreadMillis over how long their due times are spread
 * @param payload what each carries
 */
record JobSeries(String prefix, int from, int count, long dueMillis, long spreadMillis, String payload) {

    private static final String TEXT = "an order to be closed; ";

    /** The usual payload: 128 characters. */
    static final String PAYLOAD = payload(128);

    static JobSeries of(JsonNode command) {
        return new JobSeries(
                command.required("prefix").stringValue(),
                command.path("from").asInt(0),
                command.required("count").intValue(),
                command.required("dueMillis").longValue(),
                command.path("spreadMillis").asLong(0),
                command.has("characters") ? payload(command.get("characters").intValue()) : PAYLOAD);
    }

    private static String payload(int characters) {
        return TEXT.repeat(characters / TEXT.length() + 1).substring(0, characters);
    }

    static String id(String prefix, int number) {
        return prefix + "-" + number;
    }

    /** The job at a position, from 0. */
    Job job(int position) {
        return new Job(id(prefix, from + position), dueMillis + spreadMillis * position / count, payload);
    }

    /** The jobs from a position on. */
    List<Job> jobs(int first, int most) {
        return IntStream.range(first, Math.min(count, first + most))
                .mapToObj(this::job)
                .toList();
    }
}
