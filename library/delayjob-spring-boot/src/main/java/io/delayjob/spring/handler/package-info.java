/** The beans and listeners of an application that run jobs, for modules that call them otherwise than the engine does. */
@NullMarked
package io.delayjob.spring.handler;

import org.jspecify.annotations.NullMarked;
