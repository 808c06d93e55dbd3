/** Shared by delayjob's own modules; nobody outside imports it. */
@NullMarked
package io.delayjob.internal;

import org.jspecify.annotations.NullMarked;
