/** Routes of tokens. */
@NullMarked
package io.delayjob.server.internal.tokens;

import org.jspecify.annotations.NullMarked;
