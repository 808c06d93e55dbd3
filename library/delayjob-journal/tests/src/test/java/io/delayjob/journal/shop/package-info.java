/** An application on JPA that has a journal. */
@NullMarked
package io.delayjob.journal.shop;

import org.jspecify.annotations.NullMarked;
