/** Targets that are services of a registry. */
@NullMarked
package io.delayjob.delivery.internal.services;

import org.jspecify.annotations.NullMarked;
