/** The documentation site. */
@NullMarked
package io.delayjob.site;

import org.jspecify.annotations.NullMarked;
