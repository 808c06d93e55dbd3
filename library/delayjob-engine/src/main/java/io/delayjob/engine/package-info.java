/**
 * The engine of one node: submits jobs, and claims, runs and settles those that are due. It depends on neither Redis nor Spring.
 */
@NullMarked
package io.delayjob.engine;

import org.jspecify.annotations.NullMarked;
