/**
 * The API of {@link io.delayjob} over HTTP: an application that reaches a delayjob server, but not Redis, submits jobs with a {@link
 * io.delayjob.client.HttpDelayJobProducer} and runs them with a {@link io.delayjob.client.HttpDelayJobWorker}, or by claims of its own with a {@link
 * io.delayjob.client.HttpDelayJobClaims}. In a Spring Boot application producer and claims are beans once {@code delayjob.client.url} is set. Elsewhere:
 *
 * <pre>{@code
 * HttpDelayJobSettings settings = HttpDelayJobSettings.of("https://jobs.example.com", token).withQueue("mail");
 * DelayJobProducer producer = new HttpDelayJobProducer(settings);
 * producer.submitDelayJob("greet", new Greeting("Ann"), Duration.ofMinutes(5));
 *
 * DelayJobClaims claims = new HttpDelayJobClaims(settings);
 * for (ClaimedJob job : claims.claim(JobClaim.of("mail").withMax(10).withMaxWait(Duration.ofSeconds(20)))) {
 *     greet(job.param());
 *     claims.settle(List.of(new JobSettlement.Complete(job.handle(), null)));
 * }
 * }</pre>
 *
 * <p>Requests are asynchronous: one that waits for its answer takes a connection, but no thread. A request is repeated until its
 * timeout, first after about 100 ms and then less often, if the connection fails or the server answers 429, 502, 503 or 504; an answer's
 * {@code Retry-After} is obeyed. Nothing is logged.
 *
 * <p>Exceptions have the server's own words, and name the setting to change. {@link java.lang.IllegalArgumentException} says that the
 * server refused a value (400, 413, 422); {@link io.delayjob.DelayJobException} that it refused the token (401, 403, 404) or could not be
 * asked. Neither has the token in it.
 */
@NullMarked
package io.delayjob.client;

import org.jspecify.annotations.NullMarked;
