package io.delayjob.benchmarks.contender;

/**
 * Where a contender keeps its jobs: a server that the driver has started for this run.
 *
 * @param url of a Redis ({@code redis://127.0.0.1:1234}), of the nodes of a cluster ({@code
 *     redis-cluster://127.0.0.1:1234,127.0.0.1:1235}), or of a database ({@code jdbc:postgresql://…})
 */
public record Store(String url) {}
