package io.delayjob.server.internal.access;

/** The order of the filters of a request; Spring Security's is -100. */
public final class FilterOrder {

    /** Refuses requests until there is a token. */
    static final int FIRST_TOKEN = -120;

    /** Holds back the answers to those who are refused again and again. */
    static final int LATE_REFUSALS = -118;

    /** Knows callers that send no header. */
    public static final int OLDER_CLIENTS = -115;

    /** Looks for a token. */
    public static final int TOKEN = -110;

    /** Asks whom Spring Security has authenticated. */
    public static final int PRINCIPAL = -90;

    /** Refuses who sends too much. */
    public static final int LIMITS = -80;

    /** Repeats answers. */
    public static final int IDEMPOTENCY = -70;

    private FilterOrder() {}
}
