/** Applications that are called back for the types of jobs that they registered. */
@NullMarked
package io.delayjob.delivery.internal.clients;

import org.jspecify.annotations.NullMarked;
