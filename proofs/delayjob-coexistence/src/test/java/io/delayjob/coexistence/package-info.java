/** Applications with delayjob beside what they have already, each a process on a class path of its own. */
@NullMarked
package io.delayjob.coexistence;

import org.jspecify.annotations.NullMarked;
