/** Renders pages. */
@NullMarked
package io.delayjob.server.console.internal.pages;

import org.jspecify.annotations.NullMarked;
