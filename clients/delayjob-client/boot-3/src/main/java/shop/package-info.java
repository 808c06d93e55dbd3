/** A small web shop on Spring Boot 3.5. Its jobs are kept by a delayjob server elsewhere. */
@NullMarked
package shop;

import org.jspecify.annotations.NullMarked;
