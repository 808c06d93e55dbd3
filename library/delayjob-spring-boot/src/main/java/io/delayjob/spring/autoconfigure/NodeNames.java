package io.delayjob.spring.autoconfigure;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;

/** Names of nodes. */
final class NodeNames {

    private static final Pattern VALID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    private NodeNames() {}

    static boolean valid(String name) {
        return VALID.matcher(name).matches();
    }

    /** Host and process, for people; and a random part, because a process id returns after a restart of a container. */
    static String random() {
        String random = Integer.toString(ThreadLocalRandom.current().nextInt(36 * 36 * 36 * 36), 36);
        return host() + ":" + ProcessHandle.current().pid() + ":" + random;
    }

    private static String host() {
        try {
            String name = InetAddress.getLocalHost().getHostName().replaceAll("[^A-Za-z0-9._-]", "-");
            return name.substring(0, Math.min(name.length(), 64));
        } catch (UnknownHostException e) {
            return "node";
        }
    }
}
