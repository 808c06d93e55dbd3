package io.delayjob.engine.telemetry;

import java.util.List;

/**
 * How this node is doing as one that claims jobs for workers elsewhere.
 *
 * @param queues how many queues it watches: those with a claim within the last minute
 * @param waiting how many claims are not answered
 * @param faults the faults that prevent it from learning of due jobs, one sentence each
 */
public record ClaimVitals(int queues, long waiting, List<String> faults) {}
