package io.delayjob.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.DelayJobRequest;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The producer in an application whose class path has no Spring. */
class WithoutSpringTest {

    /** Runs on that class path. */
    public static final class Submit implements Function<String, String> {

        @Override
        public String apply(String url) {
            HttpDelayJobProducer producer =
                    new HttpDelayJobProducer(HttpDelayJobSettings.of(url, "t").withQueue("mail"));
            return producer.submit(DelayJobRequest.toTopic("t").withAfterCommit(true), Duration.ZERO)
                    .outcome()
                    .name();
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void submitsAtOnce() throws Exception {
        try (FakeServer server = new FakeServer();
                URLClassLoader plain = new URLClassLoader(withoutSpring(), ClassLoader.getPlatformClassLoader())) {
            Class<?> submit = plain.loadClass(Submit.class.getName());
            assertThat(submit).isNotEqualTo(Submit.class);

            String outcome =
                    ((Function<String, String>) submit.getDeclaredConstructor().newInstance()).apply(server.url());

            assertThat(outcome).isEqualTo("STORED");
            assertThat(server.heard()).hasSize(1);
        }
    }

    private static URL[] withoutSpring() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(entry -> !entry.getFileName().toString().startsWith("spring-"))
                .map(WithoutSpringTest::url)
                .toArray(URL[]::new);
    }

    private static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
    }
}
