package io.delayjob.redisson.node;

/** What records in {@link FuzzIT} name wherever a class name could stand: whoever loads or makes it leaves a trace. */
final class ClassCanary {

    static {
        System.setProperty("delayjob.canary", "was initialised");
    }

    public void setCommand(String command) {
        System.setProperty("delayjob.canary", command);
    }
}
