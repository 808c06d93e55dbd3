package io.delayjob.server.internal.web;

import io.delayjob.SubmitResult;

/**
 * The result of one submit of a batch.
 *
 * @param id the id of the job that exists now
 * @param outcome the outcome of the submit
 */
public record ResultView(String id, SubmitResult.Outcome outcome) {}
