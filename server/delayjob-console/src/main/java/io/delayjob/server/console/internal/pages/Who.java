package io.delayjob.server.console.internal.pages;

import io.delayjob.server.Access;
import io.delayjob.server.Role;

/**
 * The caller who looks at a page, and the actions to offer.
 *
 * @param name names the caller
 * @param submits whether it may submit jobs and cancel and reschedule them
 * @param operates whether it may act on queues and dead jobs
 * @param admins whether it may bind topics, and make and revoke tokens
 * @param canLeave whether it signed in here, and so can sign out
 */
public record Who(String name, boolean submits, boolean operates, boolean admins, boolean canLeave) {

    static Who of(Access access, boolean readOnly, boolean canLeave) {
        return new Who(
                access.shown(),
                !readOnly && access.grant().allows(Role.SUBMIT),
                !readOnly && access.grant().allows(Role.OPERATE),
                !readOnly && access.grant().allows(Role.ADMIN),
                canLeave);
    }

    /** Whether it may cancel and reschedule. */
    public boolean acts() {
        return submits || operates;
    }
}
