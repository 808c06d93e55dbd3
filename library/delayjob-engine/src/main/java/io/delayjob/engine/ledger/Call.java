package io.delayjob.engine.ledger;

/**
 * Identifies a call to the ledger that may be repeated. A repeat with the same lane and number gets the first answer and has no
 * second effect. A call fails if a call of the same lane with a higher number has run.
 *
 * @param lane the name of the sender, which sends one call at a time
 * @param number the number of the call in its lane, from 1, growing
 */
public record Call(String lane, long number) {}
