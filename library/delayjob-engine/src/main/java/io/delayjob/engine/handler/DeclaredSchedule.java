package io.delayjob.engine.handler;

import io.delayjob.Schedule;

/**
 * A schedule that a bean or listener of this node declares.
 *
 * @param schedule the schedule
 * @param wanted whether it is to be stored; else what is stored under its name is removed
 */
public record DeclaredSchedule(Schedule schedule, boolean wanted) {}
