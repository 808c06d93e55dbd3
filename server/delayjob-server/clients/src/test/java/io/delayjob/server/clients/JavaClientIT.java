package io.delayjob.server.clients;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The client {@code delayjob-client}. */
class JavaClientIT extends ConformanceCases {

    @Override
    Driver driver() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        return Driver.start(
                Path.of("target"),
                Map.of("CLASSPATH", System.getProperty("surefire.test.class.path", classPath)),
                List.of(java, "-XX:TieredStopAtLevel=1", JavaDriver.class.getName()));
    }
}
