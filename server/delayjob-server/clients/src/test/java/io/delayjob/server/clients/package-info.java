@NullMarked
package io.delayjob.server.clients;

import org.jspecify.annotations.NullMarked;
