@NullMarked
package io.delayjob.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
