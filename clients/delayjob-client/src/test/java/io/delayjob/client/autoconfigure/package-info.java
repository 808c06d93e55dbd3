/** The HTTP client as beans. */
@NullMarked
package io.delayjob.client.autoconfigure;

import org.jspecify.annotations.NullMarked;
