package io.delayjob.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;

/** Records where threads wait in code of delayjob: for an answer, a sleep, or a socket. */
final class ThreadWaits implements AutoCloseable {

    private static final String[] WAITS = {"jdk.ThreadPark", "jdk.ThreadSleep", "jdk.JavaMonitorWait", "jdk.SocketRead"
    };

    private final Recording recording = new Recording();

    ThreadWaits() {
        for (String wait : WAITS) {
            recording.enable(wait).withThreshold(Duration.ofMillis(1)).withStackTrace();
        }
        recording.start();
    }

    /** Waits of threads that read from Redis or from callers, each with its stack. */
    List<String> ofReadingThreads() throws IOException {
        recording.stop();
        Path file = Files.createTempFile("waits", ".jfr");
        try {
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event ->
                            reads(event.getThread()) && isOfDelayjob(event.getStackTrace()) && !isOfALock(event))
                    .map(ThreadWaits::shown)
                    .distinct()
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    private static boolean reads(RecordedThread thread) {
        String name = String.valueOf(thread == null ? null : thread.getJavaName());
        return Stream.of("redisson-netty", "redisson-timer", "reactor-http").anyMatch(name::startsWith);
    }

    private static boolean isOfDelayjob(RecordedStackTrace stack) {
        return stack != null && frames(stack).anyMatch(frame -> frame.startsWith("io.delayjob."));
    }

    private static Stream<String> frames(RecordedStackTrace stack) {
        return stack.getFrames().stream()
                .map(frame -> frame.getMethod().getType().getName() + "."
                        + frame.getMethod().getName());
    }

    /** A lock that is held for a moment may be waited for, as may a class that another thread initializes, whose lock is an array. */
    private static boolean isOfALock(RecordedEvent event) {
        RecordedClass monitor = event.hasField("monitorClass") ? event.getClass("monitorClass") : null;
        if (monitor != null && monitor.getName().startsWith("[")) {
            return true;
        }
        RecordedClass parked = event.hasField("parkedClass") ? event.getClass("parkedClass") : null;
        return parked != null && parked.getName().matches(".*(ReentrantLock|ReadWriteLock).*");
    }

    private static String shown(RecordedEvent event) {
        return event.getEventType().getName() + " of "
                + event.getThread().getJavaName().replaceAll("[0-9-]+$", "")
                + frames(Objects.requireNonNull(event.getStackTrace()))
                        .limit(25)
                        .collect(Collectors.joining("\n  ", "\n  ", "\n"));
    }

    @Override
    public void close() {
        recording.close();
    }
}
