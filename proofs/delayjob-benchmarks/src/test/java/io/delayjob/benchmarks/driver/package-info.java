@NullMarked
package io.delayjob.benchmarks.driver;

import org.jspecify.annotations.NullMarked;
