/** Tests of where the demo finds its Redis. */
@NullMarked
package io.delayjob.demo.redis;

import org.jspecify.annotations.NullMarked;
