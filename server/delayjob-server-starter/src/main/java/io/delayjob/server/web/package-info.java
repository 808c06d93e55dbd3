/** The base of all routes and pages that a server has: which requests it serves, the JSON of bodies and answers, and problems. */
@NullMarked
package io.delayjob.server.web;

import org.jspecify.annotations.NullMarked;
