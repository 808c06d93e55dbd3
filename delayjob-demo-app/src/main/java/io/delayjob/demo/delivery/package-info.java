/** Jobs that leave the demo: as a signed webhook, to a service of a registry, and as a message. */
@NullMarked
package io.delayjob.demo.delivery;

import org.jspecify.annotations.NullMarked;
