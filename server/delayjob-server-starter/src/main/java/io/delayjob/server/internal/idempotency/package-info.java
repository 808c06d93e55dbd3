/** Requests with an {@code Idempotency-Key}: the second of the same key is answered as the first was. */
@NullMarked
package io.delayjob.server.internal.idempotency;

import org.jspecify.annotations.NullMarked;
