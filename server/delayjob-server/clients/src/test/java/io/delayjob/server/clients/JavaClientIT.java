package io.delayjob.server.clients;

import io.delayjob.testing.JarProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The client {@code delayjob-client}. */
class JavaClientIT extends ConformanceCases {

    @Override
    Driver driver() throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classPath = System.getProperty("java.class.path");
        List<String> command = new ArrayList<>(List.of(java));
        command.addAll(JarProcess.SHORT_LIVED);
        command.add(JavaDriver.class.getName());
        return Driver.start(
                Path.of("target"),
                Map.of("CLASSPATH", System.getProperty("surefire.test.class.path", classPath)),
                command);
    }
}
