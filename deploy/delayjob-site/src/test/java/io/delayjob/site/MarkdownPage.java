package io.delayjob.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.text.TextContentRenderer;

/**
 * The anchors and links of a Markdown page, by which the links between pages are checked.
 *
 * @param anchors of its headings, as GitHub makes them
 * @param links destinations as they are written, those of images too
 */
record MarkdownPage(Path file, List<String> anchors, List<String> links) {

    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();
    private static final TextContentRenderer TEXT =
            TextContentRenderer.builder().build();

    static MarkdownPage read(Path file) throws IOException {
        MarkdownPage page = new MarkdownPage(file, new ArrayList<>(), new ArrayList<>());
        PARSER.parse(Files.readString(file)).accept(page.new Collector());
        return page;
    }

    /** Links that lead to a file or heading that does not exist. */
    List<String> brokenLinks() throws IOException {
        List<String> broken = new ArrayList<>();
        for (String link : links) {
            if (!link.contains(":") && !leadsSomewhere(link)) {
                broken.add(link);
            }
        }
        return broken;
    }

    /** A folder does not count: the site shows none. */
    private boolean leadsSomewhere(String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = target(parts[0]);
        return Files.isRegularFile(target)
                && (parts.length == 1 || read(target).anchors().contains(parts[1]));
    }

    /** The file that a link without its anchor leads to. */
    Path target(String path) {
        return path.isEmpty() ? file : file.resolveSibling(path).normalize();
    }

    private final class Collector extends AbstractVisitor {

        @Override
        public void visit(Heading heading) {
            String anchor = TEXT.render(heading)
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            long same = anchors.stream()
                    .filter(other -> other.matches("\\Q" + anchor + "\\E(-\\d+)?"))
                    .count();
            anchors.add(same == 0 ? anchor : anchor + "-" + same);
            visitChildren(heading);
        }

        @Override
        public void visit(Link link) {
            links.add(link.getDestination());
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            links.add(image.getDestination());
        }
    }
}
