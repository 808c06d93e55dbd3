/** Finds jobs, shows them, and acts on them. */
@NullMarked
package io.delayjob.server.console.internal.jobs;

import org.jspecify.annotations.NullMarked;
