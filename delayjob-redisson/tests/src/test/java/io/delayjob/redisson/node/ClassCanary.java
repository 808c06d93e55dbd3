package io.delayjob.redisson.node;

/**
 * Class that records in {@link FuzzIT} name wherever a class name could stand. A system property shows whether it was initialized, or
 * an instance was made and filled from a record.
 */
final class ClassCanary {

    static {
        System.setProperty("delayjob.canary", "was initialised");
    }

    public void setCommand(String command) {
        System.setProperty("delayjob.canary", command);
    }
}
