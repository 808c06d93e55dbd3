/** Access to the HTTP API: roles, and the queues they hold for. */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
