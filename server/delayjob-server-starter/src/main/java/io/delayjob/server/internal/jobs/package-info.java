/** Routes of jobs: submit, look at, and act on them. */
@NullMarked
package io.delayjob.server.internal.jobs;

import org.jspecify.annotations.NullMarked;
