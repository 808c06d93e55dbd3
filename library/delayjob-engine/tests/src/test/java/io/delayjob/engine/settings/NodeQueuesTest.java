package io.delayjob.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.engine.TestSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeQueuesTest {

    private static QueueFamily family(String prefix, int maxAttempts) {
        return new QueueFamily(prefix, settings -> settings.withAttempts(maxAttempts, maxAttempts + 1));
    }

    @Test
    void aQueueHasTheSettingsOfItsNameElseOfItsFamilyElseOfAll() {
        QueueSettings own = TestSettings.concurrency(7);
        NodeQueues queues = new NodeQueues(
                "default",
                TestSettings.defaults(),
                Map.of("mail.own", own),
                List.of(family("mail.", 20), family("mail.slow.", 30)));

        assertThat(queues.of("mail.own")).isEqualTo(own);
        assertThat(queues.of("mail.a").attempts().attempts()).isEqualTo(20);
        assertThat(queues.of("mail.a").quarantineAfter()).isEqualTo(21);
        assertThat(queues.of("mail.a").backoff())
                .isEqualTo(TestSettings.defaults().backoff());
        assertThat(queues.of("mail.slow.a").attempts().attempts()).isEqualTo(30);
        assertThat(queues.of("mail")).isEqualTo(TestSettings.defaults());
    }
}
