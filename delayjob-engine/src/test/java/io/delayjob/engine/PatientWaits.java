package io.delayjob.engine;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.Extension;

/** Lets tests wait until a condition holds for as long as a slow machine may take, instead of Awaitility's ten seconds. JUnit finds it by itself. */
public final class PatientWaits implements Extension {

    static {
        Awaitility.setDefaultTimeout(TestSettings.SOON);
    }

    /** For JUnit. */
    public PatientWaits() {}
}
