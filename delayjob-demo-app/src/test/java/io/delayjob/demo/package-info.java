/** Tests of the demo through HTTP, in this process and as processes of its own. */
@NullMarked
package io.delayjob.demo;

import org.jspecify.annotations.NullMarked;
