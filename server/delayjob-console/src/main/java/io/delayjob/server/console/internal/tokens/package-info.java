/** Shows, makes, rotates and revokes the tokens of the API. */
@NullMarked
package io.delayjob.server.console.internal.tokens;

import org.jspecify.annotations.NullMarked;
