/** Routes of workers: claim jobs and settle them. */
@NullMarked
package io.delayjob.server.internal.claims;

import org.jspecify.annotations.NullMarked;
