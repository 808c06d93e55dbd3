@NullMarked
package io.delayjob.delivery.internal.clients;

import org.jspecify.annotations.NullMarked;
