/** delayjob in Spring applications. */
@NullMarked
package io.delayjob.spring;

import org.jspecify.annotations.NullMarked;
