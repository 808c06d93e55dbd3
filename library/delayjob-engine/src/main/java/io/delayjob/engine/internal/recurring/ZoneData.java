package io.delayjob.engine.internal.recurring;

import java.time.zone.ZoneRulesProvider;

/** The data of time zones of this JVM, by which it computes the instants of schedules. */
public final class ZoneData {

    /** Its version, such as 2025a; later ones are greater. */
    public static final String VERSION =
            ZoneRulesProvider.getVersions("Europe/Berlin").lastKey();

    private ZoneData() {}
}
