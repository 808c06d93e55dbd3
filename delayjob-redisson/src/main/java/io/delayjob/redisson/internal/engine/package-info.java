/** What runs on a node: the actors that submit, take, run and settle jobs. Knows neither Redisson nor Spring. */
@NullMarked
package io.delayjob.redisson.internal.engine;

import org.jspecify.annotations.NullMarked;
