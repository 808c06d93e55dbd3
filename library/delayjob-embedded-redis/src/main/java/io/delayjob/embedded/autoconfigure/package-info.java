/** A Redis of the application's own, started where none is configured; for demos and first steps. */
@NullMarked
package io.delayjob.embedded.autoconfigure;

import org.jspecify.annotations.NullMarked;
