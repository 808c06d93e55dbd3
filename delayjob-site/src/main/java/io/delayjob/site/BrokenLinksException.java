package io.delayjob.site;

import java.util.List;

/** Links that lead nowhere. */
final class BrokenLinksException extends RuntimeException {

    private static final long serialVersionUID = 1;

    BrokenLinksException(List<String> links) {
        super("links that lead nowhere:" + String.join("\n  ", "", String.join("\n  ", links)));
    }
}
