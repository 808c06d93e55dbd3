package io.delayjob.embedded;

/** Work done when the JVM ends, unless it was done or called off before. */
final class JvmExit {
    private final Thread hook;

    private JvmExit(Thread hook) {
        this.hook = hook;
    }

    static JvmExit run(Runnable work) {
        Thread hook = new Thread(work, "delayjob-embedded-redis-exit");
        Runtime.getRuntime().addShutdownHook(hook);
        return new JvmExit(hook);
    }

    void callOff() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the JVM is ending already: the work must bear being done twice
        }
    }
}
