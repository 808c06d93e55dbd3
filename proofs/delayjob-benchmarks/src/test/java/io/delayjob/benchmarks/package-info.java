@NullMarked
package io.delayjob.benchmarks;

import org.jspecify.annotations.NullMarked;
