package io.delayjob.demo.web;

import java.time.Instant;

/**
 * The answer to a submit.
 *
 * @param status {@code success}
 * @param id the job's id
 * @param queue the job's queue
 * @param dueAt when the job, or its next attempt, is due by Redis' clock; of a job that is already gone, its due time by the
 *     clock of this process
 */
public record Submitted(String status, String id, String queue, Instant dueAt) {}
