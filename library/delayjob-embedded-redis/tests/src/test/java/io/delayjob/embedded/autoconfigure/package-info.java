/** Tests of when an application starts a Redis of its own. */
@NullMarked
package io.delayjob.embedded.autoconfigure;

import org.jspecify.annotations.NullMarked;
