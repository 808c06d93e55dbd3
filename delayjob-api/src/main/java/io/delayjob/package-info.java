/**
 * The API for applications: jobs, the producer that submits them, and the admin API that inspects and changes them.
 *
 * <p>Nothing here depends on Spring, Redisson or Jackson. All types are immutable or thread-safe unless they say otherwise.
 */
@NullMarked
package io.delayjob;

import org.jspecify.annotations.NullMarked;
