package io.delayjob.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;

/** What stands at the side of every page: the headings and links of docs/README.md. */
record Navigation(List<Section> sections) {

    static final String SOURCE = "docs/README.md";

    record Section(String title, List<Entry> entries) {}

    /**
     * A page in it.
     *
     * @param file relative to the folder of the site
     */
    record Entry(String title, String file) {}

    static Navigation of(Pages pages) {
        Page contents = Objects.requireNonNull(pages.bySource().get(SOURCE), SOURCE);
        List<Section> sections = new ArrayList<>();
        contents.document().accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                if (heading.getLevel() == 2) {
                    sections.add(new Section(Markdown.text(heading), new ArrayList<>()));
                }
            }

            @Override
            public void visit(Link link) {
                if (!sections.isEmpty()) {
                    sections.get(sections.size() - 1).entries().add(entry(pages.tree(), link));
                }
            }
        });
        return new Navigation(sections);
    }

    private static Entry entry(Tree tree, Link link) {
        String title = Markdown.text(Objects.requireNonNull(link.getFirstChild(), "text of a link"));
        Destination to = Destination.of(SOURCE, link.getDestination());
        return new Entry(title, to.elsewhere() ? link.getDestination() : tree.target(to.path()) + to.fragment());
    }
}
