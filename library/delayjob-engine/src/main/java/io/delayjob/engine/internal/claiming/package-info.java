/** Claims due jobs for workers elsewhere: the claims that wait, the handles of attempts, their settlements. */
@NullMarked
package io.delayjob.engine.internal.claiming;

import org.jspecify.annotations.NullMarked;
