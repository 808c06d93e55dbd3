/** A web application whose jobs leave it: as a signed webhook, to a service of a registry, and as a message on a broker. */
@NullMarked
package io.delayjob.demo.delivery;

import org.jspecify.annotations.NullMarked;
