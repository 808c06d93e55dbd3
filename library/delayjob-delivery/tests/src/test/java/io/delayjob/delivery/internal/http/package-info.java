/** Tests of calls over HTTP. */
@NullMarked
package io.delayjob.delivery.internal.http;

import org.jspecify.annotations.NullMarked;
