package io.delayjob.server.autoconfigure;

/** The source of a caller's roles and queues. */
enum Authentication {
    /** Spring Security in an application that has it, else tokens. */
    AUTO,
    /** The tokens of the HTTP API. */
    TOKENS,
    /** Spring Security. */
    SPRING_SECURITY,
    /** The token, where a request has one of the HTTP API, else Spring Security. */
    BOTH
}
