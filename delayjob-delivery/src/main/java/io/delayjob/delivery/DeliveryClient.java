package io.delayjob.delivery;

import io.delayjob.support.Checks;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One process of an application that is called back for its jobs.
 *
 * @param application the name of the application, 1 to 63 of {@code A-Z a-z 0-9 . _ -}
 * @param url where the process serves, such as {@code https://worker-1.example.com}
 * @param types the types of the jobs that it runs, at most 100; application and type together, with a {@code -} between them, are the topic
 *     and the queue of these jobs, so they have at most 64 of the characters above
 * @param path the path that is called, which begins with a slash; null for {@link #DEFAULT_PATH}
 */
public record DeliveryClient(
        String application,
        String url,
        List<String> types,
        @Nullable String path) {

    /** The path that is called unless the client states another. */
    public static final String DEFAULT_PATH = "/hf/delay_queue/work";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
    private static final int MOST_TYPES = 100;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is malformed; the message names it
     */
    public DeliveryClient {
        if (application == null || !NAME.matcher(application).matches()) {
            throw new IllegalArgumentException(
                    "application must be 1 to 63 of A-Z a-z 0-9 . _ -: " + Checks.shown(application));
        }
        Checks.line(url, "url");
        types = List.copyOf(Checks.notNull(types, "types"));
        if (types.isEmpty() || types.size() > MOST_TYPES) {
            throw new IllegalArgumentException("a client must have 1 to " + MOST_TYPES + " types: " + types.size());
        }
        for (String type : types) {
            if (!NAME.matcher(type).matches() || !Checks.isQueue(application + "-" + type)) {
                throw new IllegalArgumentException("application and type, with a - between them, must be 1 to 64 of"
                        + " A-Z a-z 0-9 . _ -: " + Checks.shown(application + "-" + type));
            }
        }
        path = path == null ? DEFAULT_PATH : Checks.line(path, "path");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path must begin with a slash: " + Checks.shown(path));
        }
    }

    /**
     * The path that is called.
     *
     * @return it begins with a slash
     */
    @Override
    public String path() {
        return path == null ? DEFAULT_PATH : path;
    }
}
