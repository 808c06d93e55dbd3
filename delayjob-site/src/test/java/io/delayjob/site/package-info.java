/** What the documentation must have. */
@NullMarked
package io.delayjob.site;

import org.jspecify.annotations.NullMarked;
