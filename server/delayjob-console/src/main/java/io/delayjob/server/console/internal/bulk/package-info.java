/** Acts on many jobs in the background. */
@NullMarked
package io.delayjob.server.console.internal.bulk;

import org.jspecify.annotations.NullMarked;
