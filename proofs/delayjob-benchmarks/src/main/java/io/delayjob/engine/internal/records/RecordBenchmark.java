package io.delayjob.engine.internal.records;

import io.delayjob.AckMode;
import io.delayjob.DelayJobRequest;
import io.delayjob.engine.handler.Handler;
import io.delayjob.engine.handler.ParamCodec;
import io.delayjob.engine.settings.AttemptPolicy;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Cost of JSON per job: writing its record at the submit, and reading it before an attempt. */
@NullMarked
@State(Scope.Thread)
public class RecordBenchmark {

    private static final String NAME = "close-order";

    /** A param of 128 characters. */
    private record Order(String id, String customer, long total, String note) {}

    private final JsonMapper json = JsonMapper.builder().build();
    private final ParamCodec params = new ParamCodec(json, 65_536);
    private final RecordCodec records = new RecordCodec();
    private final Handler job = new Handler(
            NAME,
            NAME,
            null,
            params.type(Order.class),
            (execution, acknowledgment) -> {},
            AckMode.ON_SUCCESS,
            AttemptPolicy.NONE,
            null,
            null);
    private final Order order = new Order("2026-000017", "anna", 4200, "x".repeat(73));
    private final DelayJobRequest<Order> request = DelayJobRequest.toTopic(NAME, order);
    private final String record = "{\"v\":1,\"at\":1766000000000," + body();

    /** The param and what is around it. */
    @Benchmark
    public String write() {
        return body();
    }

    private String body() {
        return records.body(NAME, request, params.write(job, order), "");
    }

    /** The fields, the param as it was written. */
    @Benchmark
    public Object readRecord() {
        return records.read(record);
    }

    /** The fields and the param. */
    @Benchmark
    public @Nullable Object read() {
        return params.read(job, records.read(record).param());
    }

    /** For comparison: reads the param from a tree. The engine does not, because a tree has doubles where a param may have decimals. */
    @Benchmark
    public Object readByTree() {
        JsonNode tree = json.readTree(record);
        return json.treeToValue(tree.required("param"), Order.class);
    }
}
