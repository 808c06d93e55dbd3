package io.delayjob.engine.settings;

/**
 * The settings of this node.
 *
 * @param node its name in Redis and in logs, unique in the fleet
 * @param queues its queues
 * @param submitting how it submits
 * @param consuming how it runs jobs
 */
public record EngineSettings(String node, NodeQueues queues, SubmitSettings submitting, ConsumeSettings consuming) {}
