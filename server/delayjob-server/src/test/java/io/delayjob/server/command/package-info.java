@NullMarked
package io.delayjob.server.command;

import org.jspecify.annotations.NullMarked;
