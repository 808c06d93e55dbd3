package io.delayjob.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server program that runs on this machine and is new enough. */
record RedisExecutable(Path path, String version) {
    private static final Pattern VERSION = Pattern.compile("v=((\\d+)\\.(\\d+)\\S*)");
    private static final int SECONDS = 5;

    /** Asks the program for its version; the exception's message says why it cannot be used. */
    static RedisExecutable probe(Path path) throws IOException {
        String output = versionOutput(path);
        Matcher matcher = VERSION.matcher(output);
        if (!matcher.find()) {
            throw new IOException("does not tell its version: " + output);
        }
        String version = matcher.group(1);
        if (isTooOld(Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)))) {
            throw new IOException("version " + version + " is older than 6.2");
        }
        return new RedisExecutable(path, version);
    }

    int majorVersion() {
        return Integer.parseInt(version.substring(0, version.indexOf('.')));
    }

    private static boolean isTooOld(int major, int minor) {
        return major < 6 || (major == 6 && minor < 2);
    }

    private static String versionOutput(Path path) throws IOException {
        Process process = new ProcessBuilder(path.toString(), "--version")
                .redirectErrorStream(true)
                .start();
        try {
            awaitEnd(process);
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (process.exitValue() != 0) {
                throw new IOException("ends with exit code %d: %s".formatted(process.exitValue(), output));
            }
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    // The output is one line, so the pipe cannot fill up before the end.
    private static void awaitEnd(Process process) throws IOException {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("does not tell its version within " + SECONDS + " seconds");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
