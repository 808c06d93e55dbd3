/** Starts contenders and servers in processes of their own, drives them and reads their meters. */
@NullMarked
package io.delayjob.benchmarks.driver;

import org.jspecify.annotations.NullMarked;
