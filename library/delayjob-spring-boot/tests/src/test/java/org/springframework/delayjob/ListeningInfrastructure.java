package org.springframework.delayjob;

import io.delayjob.DelayJobListener;

/** Lives below Spring's own package. */
public class ListeningInfrastructure {

    /** Would listen. */
    @DelayJobListener(topic = "infrastructure")
    public void on(String text) {}
}
