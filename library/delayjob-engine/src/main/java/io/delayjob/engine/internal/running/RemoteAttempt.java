package io.delayjob.engine.internal.running;

import io.delayjob.engine.ledger.Lease;
import java.time.Duration;

/**
 * An attempt that was handed to a worker elsewhere, as its handle names it.
 *
 * @param lease the job, and the token of the claim
 * @param number the number of the attempt, from 1
 * @param job the name of what runs
 * @param elapsed how long ago the job was handed out
 */
public record RemoteAttempt(Lease lease, int number, String job, Duration elapsed) {}
