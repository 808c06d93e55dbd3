package io.delayjob.server.internal.access;

import org.jspecify.annotations.Nullable;

/** Finds the token of this API in a request. */
public final class Bearer {

    private static final String SCHEME = "Bearer ";
    private static final int LONGEST = 512;

    /** The prefix of JSON Web Tokens: an opening brace and a quotation mark, in base64. */
    private static final String WEB_TOKEN = "eyJ";

    private Bearer() {}

    /**
     * The token of a request.
     *
     * @param authorization the header; null if there is none
     * @param alone whether tokens of the API alone decide; if not, JSON Web Tokens are Spring Security's
     * @return the token, as it was sent; empty if there is none of this API
     */
    public static String secret(@Nullable String authorization, boolean alone) {
        if (authorization == null
                || authorization.length() > LONGEST
                || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return "";
        }
        String secret = authorization.substring(SCHEME.length()).strip();
        return alone || !secret.startsWith(WEB_TOKEN) ? secret : "";
    }
}
