package io.delayjob.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Demos that share a data folder. Closing it leaves no process behind, however the test went. */
record DemoProcesses(Path folder, List<DemoProcess> started) implements AutoCloseable {

    DemoProcesses(Path folder) {
        this(folder, new ArrayList<>());
    }

    DemoProcess start(String... properties) {
        DemoProcess demo = DemoProcess.start(folder, properties);
        started.add(demo);
        return demo;
    }

    @Override
    public void close() {
        started.forEach(DemoProcess::close);
    }
}
