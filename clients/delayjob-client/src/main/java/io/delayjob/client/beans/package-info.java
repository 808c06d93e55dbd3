/**
 * Runs the beans and listeners of an application whose jobs a server keeps: it claims them ({@code delayjob.worker}), or the server calls it ({@code
 * delayjob.callback}). Needs delayjob-spring-boot.
 */
@NullMarked
package io.delayjob.client.beans;

import org.jspecify.annotations.NullMarked;
