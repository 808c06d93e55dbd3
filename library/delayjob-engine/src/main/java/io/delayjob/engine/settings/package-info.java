/** The settings of a node and of its queues. */
@NullMarked
package io.delayjob.engine.settings;

import org.jspecify.annotations.NullMarked;
