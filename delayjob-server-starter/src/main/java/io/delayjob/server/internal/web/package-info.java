/** Code that all routes share: the JSON of bodies and answers, and problems. */
@NullMarked
package io.delayjob.server.internal.web;

import org.jspecify.annotations.NullMarked;
