/** Tests of what all routes share. */
@NullMarked
package io.delayjob.server.web;

import org.jspecify.annotations.NullMarked;
