@NullMarked
package io.delayjob.modulith;

import org.jspecify.annotations.NullMarked;
