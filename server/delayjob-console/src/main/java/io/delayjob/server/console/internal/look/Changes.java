package io.delayjob.server.console.internal.look;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.http.codec.ServerSentEvent;

/**
 * The changes of a page that is followed, as events: first all of its lines, separated by tabs, and then, as event {@code changes}, only those that differ from the
 * ones before, each after its number and a space. A page with another number of lines is sent whole. Used by one stream.
 */
final class Changes {

    private static final String BETWEEN = "\t";

    private final boolean known;
    private List<String> sent = List.of();

    /**
     * Changes of a page to which nothing has been sent.
     *
     * @param known whether the page knows of changes; that of another release may not, and is always sent whole
     */
    Changes(boolean known) {
        this.known = known;
    }

    /** The event after which whoever follows has these lines. */
    ServerSentEvent<String> to(List<String> lines) {
        boolean fits = known && lines.size() == sent.size();
        String data = fits ? differing(sent, lines) : String.join(BETWEEN, lines);
        sent = lines;
        ServerSentEvent.Builder<String> event = ServerSentEvent.builder(data);
        return fits ? event.event("changes").build() : event.build();
    }

    private static String differing(List<String> old, List<String> lines) {
        return IntStream.range(0, lines.size())
                .filter(at -> !lines.get(at).equals(old.get(at)))
                .mapToObj(at -> at + " " + lines.get(at))
                .collect(Collectors.joining(BETWEEN));
    }

    /** The lines of a page, none of which has a tab. */
    static List<String> lines(String html) {
        return List.of(html.replace('\t', ' ').split("\\R", -1));
    }
}
