package io.delayjob.server;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** A set of permissions that a caller of the HTTP API can have. */
public enum Role {
    /** Submit jobs; cancel and reschedule them. */
    @JsonProperty("submit")
    SUBMIT,
    /** Claim jobs and settle them. */
    @JsonProperty("work")
    WORK,
    /** Look at queues, jobs and nodes. */
    @JsonProperty("read")
    READ,
    /** Cancel, reschedule, redrive and purge jobs; pause and resume queues. */
    @JsonProperty("operate")
    OPERATE,
    /** All of that, and make and revoke tokens. */
    @JsonProperty("admin")
    ADMIN;

    /** {@return the name of the role in requests and answers} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
