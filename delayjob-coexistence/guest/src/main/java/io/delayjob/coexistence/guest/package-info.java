/** What the application has besides when it has delayjob. */
@NullMarked
package io.delayjob.coexistence.guest;

import org.jspecify.annotations.NullMarked;
