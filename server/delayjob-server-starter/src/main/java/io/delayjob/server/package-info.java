/** Access to the HTTP API and the console: roles, the queues they hold for, and the rights of a caller. */
@NullMarked
package io.delayjob.server;

import org.jspecify.annotations.NullMarked;
