/** The audit: which caller did what. */
@NullMarked
package io.delayjob.server.console.internal.audit;

import org.jspecify.annotations.NullMarked;
