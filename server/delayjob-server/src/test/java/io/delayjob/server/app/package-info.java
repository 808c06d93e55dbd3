/** The packaged server in processes of its own. */
@NullMarked
package io.delayjob.server.app;

import org.jspecify.annotations.NullMarked;
