/** Filters and codecs that all routes share. */
@NullMarked
package io.delayjob.server.internal.web;

import org.jspecify.annotations.NullMarked;
