/** Sets up the journal in a Spring Boot application. */
@NullMarked
package io.delayjob.journal.autoconfigure;

import org.jspecify.annotations.NullMarked;
