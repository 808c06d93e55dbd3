/** Tests of claims over HTTP. */
@NullMarked
package io.delayjob.server.internal.claims;

import org.jspecify.annotations.NullMarked;
