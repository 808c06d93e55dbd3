/** What stands in a job's record, and how it is written and read. */
@NullMarked
package io.delayjob.engine.internal.records;

import org.jspecify.annotations.NullMarked;
