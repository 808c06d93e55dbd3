/** Checks of values, shared by delayjob's modules. Applications have no need of it; it may change with any release. */
@NullMarked
package io.delayjob.support;

import org.jspecify.annotations.NullMarked;
