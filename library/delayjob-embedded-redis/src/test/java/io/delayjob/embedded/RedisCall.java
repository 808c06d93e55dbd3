package io.delayjob.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;

/** Sends one command over a connection of its own, for tests that need no client library. */
public final class RedisCall {
    private static final int DEFAULT_PORT = 6379;
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private RedisCall() {}

    /**
     * Sends a command to a server.
     *
     * @param url {@code redis://[[user]:password@]host[:port]}; a database in the path is not selected
     * @param words the command
     * @return the reply as text, the elements of an array joined by line feeds
     * @throws IOException if the server is not there, does not answer within ten seconds, or answers with an error
     */
    public static String call(String url, String... words) throws IOException {
        return call(TIMEOUT, url, words);
    }

    /**
     * Sends a command to a server that may be busy.
     *
     * @param patience how long its answer may take
     * @throws IOException as for {@link #call(String, String...)}
     */
    public static String call(Duration patience, String url, String... words) throws IOException {
        try (RespClient client = connect(URI.create(url), patience)) {
            return client.call(words);
        }
    }

    /**
     * Asks a server what it is.
     *
     * @param url as for {@link #call(String, String...)}
     * @return product and version, such as {@code Redis 7.0.15}
     * @throws IOException as for {@link #call(String, String...)}
     */
    public static String version(String url) throws IOException {
        try (RespClient client = connect(URI.create(url), TIMEOUT)) {
            ServerInfo info = ServerInfo.ask(client);
            return info.product() + " " + info.version();
        }
    }

    private static RespClient connect(URI uri, Duration patience) throws IOException {
        if (!"redis".equals(uri.getScheme()) || uri.getHost() == null) {
            throw new IOException("not a redis://host:port address");
        }
        InetAddress host = InetAddress.getAllByName(uri.getHost())[0];
        int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
        RespClient client = RespClient.connect(new InetSocketAddress(host, port), patience);
        authenticate(client, uri);
        return client;
    }

    private static void authenticate(RespClient client, URI uri) throws IOException {
        String userInfo = uri.getUserInfo();
        if (userInfo == null) {
            return;
        }
        int colon = userInfo.indexOf(':');
        String password = userInfo.substring(colon + 1);
        if (colon > 0) {
            client.call("AUTH", userInfo.substring(0, colon), password);
        } else {
            client.call("AUTH", password);
        }
    }
}
