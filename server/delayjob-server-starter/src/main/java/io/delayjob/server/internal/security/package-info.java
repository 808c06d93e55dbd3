/** Access of callers that Spring Security has authenticated. The only package that uses Spring Security, beside {@code autoconfigure}. */
@NullMarked
package io.delayjob.server.internal.security;

import org.jspecify.annotations.NullMarked;
