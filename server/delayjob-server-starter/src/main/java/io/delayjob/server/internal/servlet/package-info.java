/** The API on a servlet container: what WebFlux does not know of one. */
@NullMarked
package io.delayjob.server.internal.servlet;

import org.jspecify.annotations.NullMarked;
