package io.delayjob.redisson.autoconfigure;

import io.delayjob.spring.InvalidConfigurationException;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** An address such as {@code rediss://user:password@host:6379/0}, read as Spring Boot reads it. */
record RedisUrl(URI uri) {

    private static final int DEFAULT_PORT = 6379;

    /**
     * Parses a url. Exceptions do not quote it, because it may contain a password.
     *
     * @param property the name of the property with the url
     */
    static RedisUrl of(String property, String url) {
        try {
            RedisUrl read = new RedisUrl(new URI(url));
            if (read.uri.getHost() != null && (read.encrypted() || "redis".equals(read.uri.getScheme()))) {
                return read;
            }
        } catch (URISyntaxException e) {
            // the same answer
        }
        throw new InvalidConfigurationException(
                property + " must be redis://[user:password@]host[:port][/database], or the same with rediss://", null);
    }

    boolean encrypted() {
        return "rediss".equals(uri.getScheme());
    }

    String node() {
        return uri.getHost() + ":" + (uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort());
    }

    @Nullable String username() {
        String user = uri.getUserInfo();
        return user == null || user.indexOf(':') < 0 ? null : user.substring(0, user.indexOf(':'));
    }

    @Nullable String password() {
        String user = uri.getUserInfo();
        return user == null ? null : user.substring(user.indexOf(':') + 1);
    }

    /** The database in the last part of the path; 0 if there is none. */
    int database(String property) {
        String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "");
        try {
            return path.isEmpty() ? 0 : Integer.parseInt(path);
        } catch (NumberFormatException e) {
            throw new InvalidConfigurationException(property + " must end in the number of a database: /" + path, e);
        }
    }

    /** Leaves out the user and the password. */
    @Override
    public String toString() {
        return uri.getScheme() + "://" + node();
    }
}
