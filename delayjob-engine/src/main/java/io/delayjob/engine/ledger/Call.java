package io.delayjob.engine.ledger;

/**
 * One call to the ledger that may be repeated: a repeat with the same lane and number gets the first answer and has no second
 * effect; a number that a later call of its lane has overtaken fails.
 *
 * @param lane the sender; sends one call after the other
 * @param number from 1, growing
 */
public record Call(String lane, long number) {}
