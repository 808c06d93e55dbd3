package io.delayjob.testing;

import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** The only class that needs Testcontainers. */
final class RedisContainer {
    private static final int PORT = 6379;

    private RedisContainer() {}

    static RedisServer start(String image) {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            throw new IllegalStateException("Testcontainers finds no usable Docker");
        }
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image)).withExposedPorts(PORT);
        // Before the start: also a container that comes up too late is stopped.
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop, "delayjob-test-container-stop"));
        container.start();
        String url = "redis://%s:%d".formatted(container.getHost(), container.getMappedPort(PORT));
        return SharedServer.answering(url, "container of " + image);
    }
}
