/** Events of Spring Modulith as delayed jobs. */
@NullMarked
package io.delayjob.modulith;

import org.jspecify.annotations.NullMarked;
