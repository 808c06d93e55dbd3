@NullMarked
package io.delayjob.server.image;

import org.jspecify.annotations.NullMarked;
