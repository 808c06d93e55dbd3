package io.delayjob.demo.delivery;

import java.util.Locale;

/** How a job leaves. */
enum Way {
    /** A signed call to an address. */
    WEBHOOK,
    /** A call to a service that a registry knows. */
    SERVICE,
    /** A message on a broker's queue. */
    MESSAGE;

    /** The topic of its jobs, and their queue. */
    String topic() {
        return "demo-" + name().toLowerCase(Locale.ROOT);
    }
}
