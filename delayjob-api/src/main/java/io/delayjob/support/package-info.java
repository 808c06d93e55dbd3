/** Checks and small helpers, shared by delayjob's modules. Not for applications; it may change with any release. */
@NullMarked
package io.delayjob.support;

import org.jspecify.annotations.NullMarked;
