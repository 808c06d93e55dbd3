/** Runs the beans and listeners of an application that a server calls back when their jobs are due. Needs delayjob-spring-boot. */
@NullMarked
package io.delayjob.client.callback;

import org.jspecify.annotations.NullMarked;
