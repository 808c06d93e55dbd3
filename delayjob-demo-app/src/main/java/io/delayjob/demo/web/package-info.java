/** The demo's HTTP API. */
@NullMarked
package io.delayjob.demo.web;

import org.jspecify.annotations.NullMarked;
