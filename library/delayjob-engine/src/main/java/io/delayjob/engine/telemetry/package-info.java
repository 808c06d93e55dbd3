/** Measurements that a node makes of its own work. */
@NullMarked
package io.delayjob.engine.telemetry;

import org.jspecify.annotations.NullMarked;
