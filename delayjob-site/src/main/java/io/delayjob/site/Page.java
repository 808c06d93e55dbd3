package io.delayjob.site;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;

/**
 * A page.
 *
 * @param source where its Markdown stands in the tree
 * @param document the Markdown
 */
record Page(String source, Node document) {

    private static final Pattern ID = Pattern.compile("\\bid=\"([^\"]+)\"");
    private static final Pattern SECTION = Pattern.compile("<h2 id=\"([^\"]+)\">(.*?)</h2>", Pattern.DOTALL);

    String file() {
        return Tree.page(source);
    }

    String html() {
        return Markdown.html(document);
    }

    /** The text of its first heading. */
    String title() {
        StringBuilder title = new StringBuilder();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (title.isEmpty()) {
                    title.append(Markdown.text(heading));
                }
            }
        });
        return title.toString();
    }

    /** What a link may name behind its #. */
    Set<String> anchors() {
        return ID.matcher(html()).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }

    /** Its sections: the HTML of each heading by its anchor, in order. */
    Map<String, String> sections() {
        Map<String, String> sections = new LinkedHashMap<>();
        SECTION.matcher(html()).results().forEach(match -> sections.put(match.group(1), match.group(2)));
        return sections;
    }

    /** The way from this page to the folder that the site is in, empty or ending with a slash. */
    String up() {
        return "../".repeat((int) file().chars().filter(c -> c == '/').count());
    }
}
