/** Tests of the documentation: links, and the pages about configuration. */
@NullMarked
package io.delayjob.site;

import org.jspecify.annotations.NullMarked;
