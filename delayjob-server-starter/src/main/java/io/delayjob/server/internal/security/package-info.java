/** What callers may do whom Spring Security has authenticated. The only package that uses it, beside {@code autoconfigure}. */
@NullMarked
package io.delayjob.server.internal.security;

import org.jspecify.annotations.NullMarked;
