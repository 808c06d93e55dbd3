package io.delayjob.site;

import java.util.Set;
import org.commonmark.node.Code;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlWriter;

/** Code within text, whose lines may break behind the dots and hyphens of long names. */
record BreakableCode(HtmlNodeRendererContext context) implements NodeRenderer {

    private static final String BEHIND_A_PART = "(?<=[.-])(?=.)";

    @Override
    public Set<Class<? extends Node>> getNodeTypes() {
        return Set.of(Code.class);
    }

    @Override
    public void render(Node node) {
        HtmlWriter html = context.getWriter();
        html.tag("code");
        String separator = "";
        for (String part : ((Code) node).getLiteral().split(BEHIND_A_PART, -1)) {
            html.raw(separator);
            html.text(part);
            separator = "<wbr>";
        }
        html.tag("/code");
    }
}
