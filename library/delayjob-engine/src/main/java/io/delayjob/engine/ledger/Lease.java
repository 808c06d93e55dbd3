package io.delayjob.engine.ledger;

/**
 * The right to run a job, given by a claim. Every later call about the job must present it.
 *
 * @param id the job's id
 * @param token the token of the claim; a later claim of the same job gets another one, and this one is refused from then on
 */
public record Lease(String id, String token) {}
