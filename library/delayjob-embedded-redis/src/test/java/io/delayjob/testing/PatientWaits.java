package io.delayjob.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.Extension;

/**
 * Lets tests wait for two minutes until a condition holds, instead of Awaitility's ten seconds: a machine that is busy with something else is
 * slow, and no test shall fail for that.
 *
 * <p>JUnit finds it by itself in the modules that have this kit.
 */
public final class PatientWaits implements Extension {

    static {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
    }

    /** For JUnit. */
    public PatientWaits() {}
}
