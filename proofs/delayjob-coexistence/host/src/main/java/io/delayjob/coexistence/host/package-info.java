/** An application without delayjob. */
@NullMarked
package io.delayjob.coexistence.host;

import org.jspecify.annotations.NullMarked;
