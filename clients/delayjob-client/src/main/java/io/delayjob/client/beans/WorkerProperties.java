package io.delayjob.client.beans;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An application that claims its jobs from a server.
 *
 * @param enabled Whether this application claims jobs from the server and runs them by its beans and listeners. Needs delayjob-spring-boot.
 * @param queues Queues whose jobs it claims. If not set, those that its beans and listeners name, and delayjob.client.queue.
 * @param concurrency Number of jobs that run at once.
 * @param lease Lease of jobs that were submitted without one. If not set, that of their queue.
 * @param name Name that is shown with its jobs. If not set, host and process id.
 * @param grace How long running jobs may take when the application stops; then they are interrupted, and given back.
 */
@ConfigurationProperties("delayjob.worker")
record WorkerProperties(
        @DefaultValue("false") boolean enabled,
        @DefaultValue List<String> queues,
        @DefaultValue("10") int concurrency,
        @Nullable Duration lease,
        @Nullable String name,
        @DefaultValue("20s") Duration grace) {}
