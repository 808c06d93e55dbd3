/** The engine of one node: submits jobs, and takes, runs and settles those that are due. Knows neither Redis nor Spring. */
@NullMarked
package io.delayjob.engine;

import org.jspecify.annotations.NullMarked;
