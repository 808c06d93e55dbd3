/** The HTTP delay queue: add, pop, finish and delete as commands in JSON. */
@NullMarked
package io.delayjob.server.internal.protocols.delayqueue;

import org.jspecify.annotations.NullMarked;
