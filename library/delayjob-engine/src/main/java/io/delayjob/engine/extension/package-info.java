/** Extension points that an application fills: interceptors, event listeners, transactions, worker threads. */
@NullMarked
package io.delayjob.engine.extension;

import org.jspecify.annotations.NullMarked;
