/** Hands the events of all nodes to those who follow them. */
@NullMarked
package io.delayjob.server.internal.events;

import org.jspecify.annotations.NullMarked;
