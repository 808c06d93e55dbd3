/** Tests of the routes of mykit-delay. */
@NullMarked
package io.delayjob.server.internal.protocols.mykit;

import org.jspecify.annotations.NullMarked;
