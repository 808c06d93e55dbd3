/** A small web application that submits, shows and cancels delayed jobs. */
@NullMarked
package io.delayjob.demo;

import org.jspecify.annotations.NullMarked;
