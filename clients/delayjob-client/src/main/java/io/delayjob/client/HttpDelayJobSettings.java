package io.delayjob.client;

import io.delayjob.support.Checks;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Where the server is, and how it is asked. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param url the server's address, without {@code /api/v1}: {@code http} or {@code https}, with a path if a proxy has one for it
 * @param token the token that is sent with every request
 * @param queue the queue of jobs whose request names none, and whose class has no {@link io.delayjob.DelayJobQueue}; null if there is
 *     none: each request must then name its queue
 * @param timeout how long a submit or settlement may take, repeats included, and a claim beyond its {@link
 *     io.delayjob.JobClaim#maxWait}; at least 1 ms. Many jobs are sent in several requests, and each has that time
 * @param mapper writes the params of jobs as JSON
 * @param httpClient sends the requests; its proxy, its certificates and its timeout of connections apply
 * @param submitHeaders says which headers the requests of a submit have besides, such as {@code traceparent}; asked once per submit, on the
 *     thread that submits
 */
public record HttpDelayJobSettings(
        URI url,
        String token,
        @Nullable String queue,
        Duration timeout,
        JsonMapper mapper,
        HttpClient httpClient,
        Supplier<Map<String, String>> submitHeaders) {

    /** The default timeout. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,500}");

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is not allowed; the message names it, but never shows the token
     */
    public HttpDelayJobSettings {
        url = checked(Checks.notNull(url, "url"));
        if (!TOKEN.matcher(Checks.notNull(token, "token")).matches()) {
            throw new IllegalArgumentException("token must be 1 to 500 visible ASCII characters without spaces; it has "
                    + token.length() + " characters");
        }
        Checks.ifGiven(queue, Checks::queue);
        Checks.positive(timeout, "timeout");
        Checks.notNull(mapper, "mapper");
        Checks.notNull(httpClient, "httpClient");
        Checks.notNull(submitHeaders, "submitHeaders");
    }

    /**
     * Settings with a timeout of 10 s, no queue, Jackson's shared mapper, and a client of its own that speaks HTTP/1.1 and connects
     * within 2 s.
     *
     * @param url the server's address, such as {@code https://jobs.example.com}
     * @param token the token, such as {@code djt_…}
     * @return the settings
     * @throws IllegalArgumentException if one is not allowed; the message names it
     */
    public static HttpDelayJobSettings of(String url, String token) {
        HttpClient httpClient = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .build();
        return new HttpDelayJobSettings(
                parsed(url), token, null, DEFAULT_TIMEOUT, JsonMapper.shared(), httpClient, Map::of);
    }

    private static URI parsed(String url) {
        try {
            return URI.create(Checks.notNull(url, "url").strip());
        } catch (IllegalArgumentException e) {
            // Without the cause and the text, in which there may be a password.
            throw invalidUrl();
        }
    }

    private static URI checked(URI url) {
        boolean web = "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme());
        if (!web
                || url.getHost() == null
                || url.getUserInfo() != null
                || url.getQuery() != null
                || url.getFragment() != null) {
            throw invalidUrl();
        }
        return URI.create(url.toString().replaceAll("/+$", ""));
    }

    private static IllegalArgumentException invalidUrl() {
        return new IllegalArgumentException(
                "url must be the address of a delayjob server, such as https://jobs.example.com: http or https, a"
                        + " host, and no user, query or fragment");
    }

    /** The address of a path of the API. */
    URI uri(String path) {
        return URI.create(url + "/api/v1" + path);
    }

    /**
     * The settings with a queue.
     *
     * @param newQueue the queue of jobs whose request names none, 1 to 64 of {@code A-Z a-z 0-9 . _ -}
     */
    public HttpDelayJobSettings withQueue(String newQueue) {
        Checks.queue(newQueue);
        return new HttpDelayJobSettings(url, token, newQueue, timeout, mapper, httpClient, submitHeaders);
    }

    /**
     * The settings with another timeout.
     *
     * @param newTimeout how long a submit or settlement may take, repeats included, and a claim beyond its wait; at least 1 ms
     */
    public HttpDelayJobSettings withTimeout(Duration newTimeout) {
        return new HttpDelayJobSettings(url, token, queue, newTimeout, mapper, httpClient, submitHeaders);
    }

    /**
     * The settings with another mapper.
     *
     * @param newMapper writes the params of jobs as JSON
     */
    public HttpDelayJobSettings withMapper(JsonMapper newMapper) {
        return new HttpDelayJobSettings(url, token, queue, timeout, newMapper, httpClient, submitHeaders);
    }

    /**
     * The settings with another HTTP client, such as one with a proxy or certificates of its own.
     *
     * @param newHttpClient sends the requests
     */
    public HttpDelayJobSettings withHttpClient(HttpClient newHttpClient) {
        return new HttpDelayJobSettings(url, token, queue, timeout, mapper, newHttpClient, submitHeaders);
    }

    /**
     * The settings with further headers of submits, such as the context of a trace.
     *
     * @param newSubmitHeaders says them, once per submit, on the thread that submits; {@code Authorization} and {@code Content-Type} are
     *     ignored
     */
    public HttpDelayJobSettings withSubmitHeaders(Supplier<Map<String, String>> newSubmitHeaders) {
        return new HttpDelayJobSettings(url, token, queue, timeout, mapper, httpClient, newSubmitHeaders);
    }

    /** The settings without the token. */
    @Override
    public String toString() {
        return "HttpDelayJobSettings[url=" + url + ", queue=" + queue + ", timeout=" + timeout + "]";
    }
}
