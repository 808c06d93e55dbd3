/** The application that runs as a node, in a process of its own; what happens in it goes into a file. */
@NullMarked
package io.delayjob.reliability.node;

import org.jspecify.annotations.NullMarked;
