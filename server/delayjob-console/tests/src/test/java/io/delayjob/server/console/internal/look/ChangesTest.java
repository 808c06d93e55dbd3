package io.delayjob.server.console.internal.look;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.codec.ServerSentEvent;

class ChangesTest {

    private final Changes changes = new Changes(true);

    private ServerSentEvent<String> to(String html) {
        return changes.to(Changes.lines(html));
    }

    @Test
    void sendsAllLinesFirstAndThenThoseThatDiffer() {
        ServerSentEvent<String> first = to("<p>\n1 of 3\r\n</p>");
        ServerSentEvent<String> second = to("<p>\n2 of\t3\n</p>");
        ServerSentEvent<String> third = to("<p>\n2 of 3\n</p>");

        assertThat(first.event()).isNull();
        assertThat(first.data()).isEqualTo("<p>\t1 of 3\t</p>");
        assertThat(second.event()).isEqualTo("changes");
        assertThat(second.data()).isEqualTo("1 2 of 3");
        assertThat(third.event()).isEqualTo("changes");
        assertThat(third.data()).isEmpty();
    }

    @Test
    void sendsAPageWithMoreOrFewerLinesWhole() {
        to("<p>\n</p>");

        ServerSentEvent<String> more = to("<p>\n1\n</p>");
        ServerSentEvent<String> fewer = to("<p>\n</p>");

        assertThat(more.event()).isNull();
        assertThat(more.data()).isEqualTo("<p>\t1\t</p>");
        assertThat(fewer.data()).isEqualTo("<p>\t</p>");
    }

    @Test
    void sendsAPageThatKnowsOfNoChangesWhole() {
        Changes whole = new Changes(false);
        whole.to(List.of("a", "b"));

        ServerSentEvent<String> again = whole.to(List.of("a", "c"));

        assertThat(again.event()).isNull();
        assertThat(again.data()).isEqualTo("a\tc");
    }
}
