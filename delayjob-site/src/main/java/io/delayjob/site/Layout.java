package io.delayjob.site;

import io.delayjob.site.Navigation.Entry;
import io.delayjob.site.Navigation.Section;
import java.util.stream.Collectors;

/** The HTML around a page. */
final class Layout {

    private final String template;
    private final Navigation navigation;
    private final String version;

    private Layout(String template, Navigation navigation, String version) {
        this.template = template;
        this.navigation = navigation;
        this.version = version;
    }

    static Layout of(Navigation navigation, String version) {
        return new Layout(WebResources.text("page.html"), navigation, version);
    }

    String html(Page page) {
        String html = page.html();
        return template.replace("{title}", escaped(page.title()))
                .replace("{version}", escaped(version))
                .replace("{diagrams}", html.contains("language-mermaid") ? WebResources.MERMAID_TAG : "")
                .replace("{navigation}", navigation(page))
                .replace("{sections}", sections(page))
                .replace("{up}", page.up())
                .replace("{content}", html);
    }

    private String navigation(Page page) {
        return navigation.sections().stream()
                .map(section -> section(section, page))
                .collect(Collectors.joining("\n"));
    }

    private static String section(Section section, Page page) {
        return "<h2>" + escaped(section.title()) + "</h2>\n<ul>\n"
                + section.entries().stream().map(entry -> entry(entry, page)).collect(Collectors.joining("\n"))
                + "\n</ul>";
    }

    private static String entry(Entry entry, Page page) {
        String here = entry.file().equals(page.file()) ? " aria-current=\"page\"" : "";
        String up = entry.file().contains(":") ? "" : page.up();
        return "<li><a href=\"" + up + entry.file() + "\"" + here + ">" + escaped(entry.title()) + "</a></li>";
    }

    private static String sections(Page page) {
        return page.sections().entrySet().stream()
                .map(section -> "<li><a href=\"#" + section.getKey() + "\">" + section.getValue() + "</a></li>")
                .collect(Collectors.joining("\n"));
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }
}
