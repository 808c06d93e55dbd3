/** What an application adds to the engine: interceptors, listeners of events, transactions, threads. */
@NullMarked
package io.delayjob.engine.extension;

import org.jspecify.annotations.NullMarked;
