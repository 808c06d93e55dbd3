package io.delayjob.demo.web;

/**
 * The answer to a cancel.
 *
 * @param status {@code cancelled}
 * @param id the job's id
 */
public record Cancelled(String status, String id) {}
