/** An application and its tests, as a user of delayjob writes them. The snippets of docs/testing.md are from here. */
@NullMarked
package io.delayjob.test.shop;

import org.jspecify.annotations.NullMarked;
