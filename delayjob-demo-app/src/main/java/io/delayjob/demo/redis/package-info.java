/** Where the demo's Redis is; starts one if none is configured. */
@NullMarked
package io.delayjob.demo.redis;

import org.jspecify.annotations.NullMarked;
