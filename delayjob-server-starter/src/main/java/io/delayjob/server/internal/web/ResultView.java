package io.delayjob.server.internal.web;

import io.delayjob.SubmitResult;

/**
 * What became of one submit of several.
 *
 * @param id the id of the job that exists now
 * @param outcome what happened
 */
public record ResultView(String id, SubmitResult.Outcome outcome) {}
