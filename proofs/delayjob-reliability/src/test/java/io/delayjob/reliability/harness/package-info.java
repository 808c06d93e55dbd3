/** Building blocks of the fault tests: processes, a network that can be broken, load, and the account. */
@NullMarked
package io.delayjob.reliability.harness;

import org.jspecify.annotations.NullMarked;
