/**
 * The protocols of older delay queues, over the same services as the API: their words, their ids without a queue, and their shapes of
 * answers.
 */
@NullMarked
package io.delayjob.server.internal.protocols;

import org.jspecify.annotations.NullMarked;
