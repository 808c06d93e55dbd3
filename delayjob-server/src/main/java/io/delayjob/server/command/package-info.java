/** What the program does besides serving: commands, which print their answer and end. */
@NullMarked
package io.delayjob.server.command;

import org.jspecify.annotations.NullMarked;
