package io.delayjob.delivery;

import io.delayjob.support.Checks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One process of an application that is called back for its jobs.
 *
 * @param application the name of the application, as in {@link ClientType}
 * @param url where the process serves, such as {@code https://worker-1.example.com}
 * @param types the types of the jobs that it runs, at most 100, as in {@link ClientType}
 * @param path the path that is called, which begins with a slash; null for {@link #DEFAULT_PATH}
 */
public record DeliveryClient(
        String application,
        String url,
        List<String> types,
        @Nullable String path) {

    /** The path that is called unless the client states another. */
    public static final String DEFAULT_PATH = "/hf/delay_queue/work";

    private static final int MOST_TYPES = 100;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is malformed; the message names it
     */
    public DeliveryClient {
        ClientType.checkApplication(application);
        Checks.line(url, "url");
        types = List.copyOf(Checks.notNull(types, "types"));
        if (types.isEmpty() || types.size() > MOST_TYPES) {
            throw new IllegalArgumentException("a client must have 1 to " + MOST_TYPES + " types: " + types.size());
        }
        for (String type : types) {
            var unused = new ClientType(application, type);
        }
        path = path == null ? DEFAULT_PATH : Checks.line(path, "path");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path must begin with a slash: " + Checks.shown(path));
        }
    }

    /**
     * The types with their topics and queues.
     *
     * @return in the order of {@link #types}
     */
    public List<ClientType> clientTypes() {
        return types.stream().map(type -> new ClientType(application, type)).toList();
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
