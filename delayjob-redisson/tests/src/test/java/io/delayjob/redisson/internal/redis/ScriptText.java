package io.delayjob.redisson.internal.redis;

/** The text of scripts, for tests in other packages. */
public final class ScriptText {

    private ScriptText() {}

    /** A script as it is sent: with its includes, and without what it does not use of them. */
    public static String of(String name) {
        return new ScriptSource().load(name).text();
    }
}
