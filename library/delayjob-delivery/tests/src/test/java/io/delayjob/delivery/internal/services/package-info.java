@NullMarked
package io.delayjob.delivery.internal.services;

import org.jspecify.annotations.NullMarked;
