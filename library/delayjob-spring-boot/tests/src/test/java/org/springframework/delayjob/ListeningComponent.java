package org.springframework.delayjob;

import io.delayjob.DelayJobListener;
import org.springframework.stereotype.Service;

/** Lives below Spring's own package, and says that it is an application's. */
@Service
public class ListeningComponent {

    /** Listens. */
    @DelayJobListener(topic = "component")
    public void on(String text) {}
}
