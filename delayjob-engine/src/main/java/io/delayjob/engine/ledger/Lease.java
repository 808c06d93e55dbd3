package io.delayjob.engine.ledger;

/**
 * What a claim gives for one job, and what every later word about that job must show.
 *
 * @param id the job's id
 * @param token of the claim; a later claim of the same job gets another one, and this one is then refused
 */
public record Lease(String id, String token) {}
