/** Commands of the program: instead of serving, it prints an answer and ends. */
@NullMarked
package io.delayjob.server.command;

import org.jspecify.annotations.NullMarked;
