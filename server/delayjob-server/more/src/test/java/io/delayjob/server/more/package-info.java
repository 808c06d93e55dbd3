@NullMarked
package io.delayjob.server.more;

import org.jspecify.annotations.NullMarked;
