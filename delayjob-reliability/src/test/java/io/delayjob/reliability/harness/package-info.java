/** What the tests of faults are made of: processes, a network that can be broken, load, and the account. */
@NullMarked
package io.delayjob.reliability.harness;

import org.jspecify.annotations.NullMarked;
