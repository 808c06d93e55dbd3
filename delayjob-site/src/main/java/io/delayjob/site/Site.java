package io.delayjob.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Makes the site. Arguments: the folder of the tree, the folder to write to, the version. */
public final class Site {

    private final Tree tree;
    private final Layout layout;
    private final List<Page> pages;

    private Site(Tree tree, Layout layout, List<Page> pages) {
        this.tree = tree;
        this.layout = layout;
        this.pages = pages;
    }

    /**
     * Reads the pages of a tree.
     *
     * @param version as the pages say
     * @throws BrokenLinksException if a link of a page, or of the navigation, leads nowhere
     */
    static Site read(Path root, String version) throws IOException {
        Tree tree = new Tree(root);
        Pages pages = Pages.read(tree);
        return new Site(tree, Layout.of(Navigation.of(pages), version), pages.linked());
    }

    List<Page> pages() {
        return pages;
    }

    void write(Path folder) throws IOException {
        for (Page page : pages) {
            Path file = folder.resolve(page.file());
            Files.createDirectories(file.getParent());
            Files.writeString(file, layout.html(page));
        }
        tree.copyAssets(folder);
        WebResources.copy(folder.resolve("assets"));
    }

    /** Entry point. */
    public static void main(String[] args) throws IOException {
        Path root = Path.of(args[0]).toRealPath();
        Path folder = Path.of(args[1]);
        read(root, args[2]).write(folder);
        Javadocs.write(root, folder.resolve("api"));
        System.out.println("The site is at " + folder.resolve("index.html").toUri());
    }
}
