package io.delayjob.test.shop;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

record Order(String id, boolean paid, @Nullable Instant closedAt) {

    boolean isClosed() {
        return closedAt != null;
    }
}
