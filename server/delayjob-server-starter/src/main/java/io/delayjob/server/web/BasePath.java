package io.delayjob.server.web;

import io.delayjob.support.Checks;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.util.UriUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * The path under which some routes are. Paths are compared decoded, as routes compare them, so that no way of writing one leads around a rule. A
 * beginning that is written in another way only serves to lead around the rules of a proxy, and is refused.
 */
public final class BasePath {

    private final String base;
    private final PathPattern all;
    private final int elements;

    /**
     * A path.
     *
     * @param base begins with a slash
     */
    public BasePath(String base) {
        this.base = base;
        this.all = PathPatternParser.defaultInstance.parse(base + "/**");
        this.elements = PathContainer.parsePath(base).elements().size();
    }

    @Override
    public String toString() {
        return base;
    }

    /** The path of a request after this one; empty if it is not under this one. */
    public Optional<PathContainer> rest(ServerWebExchange exchange) {
        PathContainer path = exchange.getRequest().getPath().pathWithinApplication();
        return all.matches(path) ? Optional.of(path.subPath(elements)) : Optional.empty();
    }

    /** The answer to a request under this path whose address is written in a way that is refused; empty if it is not. */
    public Optional<ProblemDetail> refusal(ServerWebExchange exchange) {
        ServerHttpRequest request = exchange.getRequest();
        return refusal(
                base,
                request.getPath().pathWithinApplication().value(),
                request.getURI().getRawQuery());
    }

    /**
     * The same of the parts of an address.
     *
     * @param base the required beginning of the path, without percent-encoding and parameters
     * @param path within the application, as it was written
     * @param query as it was written; null if there is none
     */
    public static Optional<ProblemDetail> refusal(String base, String path, @Nullable String query) {
        if (!path.equals(base) && !path.startsWith(base + "/")) {
            return Optional.of(Problem.INVALID_VALUE.detail(
                    "the path must begin with %s, written like this: %s".formatted(base, Checks.shown(path))));
        }
        return isUtf8(path) && (query == null || isUtf8(query))
                ? Optional.empty()
                : Optional.of(Problem.INVALID_VALUE.detail(
                        "the address must be percent-encoded UTF-8: " + Checks.shown(path)));
    }

    /** Bytes that are no UTF-8, such as a character that is written longer than it has to be, would be read as something that was not sent. */
    private static boolean isUtf8(String written) {
        if (written.indexOf('%') < 0) {
            return true;
        }
        byte[] bytes = UriUtils.decode(written, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
        try {
            var unused = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
