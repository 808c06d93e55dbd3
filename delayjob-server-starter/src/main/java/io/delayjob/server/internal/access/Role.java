package io.delayjob.server.internal.access;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a token allows. */
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
    ADMIN
}
