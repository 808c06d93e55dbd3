package io.delayjob.site;

import java.nio.file.Path;

/**
 * Where a link leads.
 *
 * @param path of a file of the tree; empty if it leads elsewhere
 * @param fragment empty, or beginning with #
 */
record Destination(String path, String fragment) {

    /**
     * Of a link in the tree.
     *
     * @param source the file it stands in
     * @param stated as it stands there
     */
    static Destination of(String source, String stated) {
        if (stated.contains(":")) {
            return new Destination("", "");
        }
        int hash = stated.indexOf('#');
        String file = hash < 0 ? stated : stated.substring(0, hash);
        String path = file.isEmpty()
                ? source
                : Path.of(source).resolveSibling(file).normalize().toString().replace('\\', '/');
        return new Destination(path, hash < 0 ? "" : stated.substring(hash));
    }

    boolean elsewhere() {
        return path.isEmpty();
    }

    /** Whether a page has what the fragment names. */
    boolean reaches(Page page) {
        return fragment.isEmpty() || page.anchors().contains(fragment.substring(1));
    }
}
