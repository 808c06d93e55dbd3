/** The stored record of a job, and how it is written and read. */
@NullMarked
package io.delayjob.engine.internal.records;

import org.jspecify.annotations.NullMarked;
