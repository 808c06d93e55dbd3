package io.delayjob.site;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;

/** All pages by where they stand in the tree, and the links between them. */
record Pages(Tree tree, Map<String, Page> bySource) {

    static Pages read(Tree tree) throws IOException {
        Map<String, Page> pages = new TreeMap<>();
        for (String source : tree.pages()) {
            pages.put(source, new Page(source, Markdown.parse(tree.read(source))));
        }
        return new Pages(tree, pages);
    }

    /** The pages, their links rewritten for the site. To be called once. */
    List<Page> linked() {
        List<String> broken = new ArrayList<>();
        bySource.values().forEach(page -> page.document().accept(new Rewriting(page, broken)));
        if (!broken.isEmpty()) {
            throw new BrokenLinksException(broken);
        }
        return List.copyOf(bySource.values());
    }

    private final class Rewriting extends AbstractVisitor {

        private final Page page;
        private final List<String> broken;

        Rewriting(Page page, List<String> broken) {
            this.page = page;
            this.broken = broken;
        }

        @Override
        public void visit(Link link) {
            link.setDestination(rewritten(link.getDestination()));
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            image.setDestination(rewritten(image.getDestination()));
        }

        private String rewritten(String stated) {
            Destination to = Destination.of(page.source(), stated);
            if (to.elsewhere()) {
                return stated;
            }
            Page other = bySource.get(to.path());
            if (!tree.has(to.path()) || (other != null && !to.reaches(other))) {
                broken.add(page.source() + ": " + stated);
                return stated;
            }
            String target = tree.target(to.path());
            return (target.startsWith("https:") ? "" : page.up()) + target + to.fragment();
        }
    }
}
