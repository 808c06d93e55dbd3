package io.delayjob.server.internal.protocols;

import io.delayjob.server.internal.web.WholeBody;
import io.delayjob.server.web.Problem;
import io.delayjob.server.web.ServerJson;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Reads the bodies of requests as JSON objects, whatever their content type: older clients name none, or a wrong one. */
public final class JsonObjects {

    private final int maxBodyBytes;

    /**
     * A reader.
     *
     * @param maxBodyBytes the largest body
     */
    public JsonObjects(int maxBodyBytes) {
        this.maxBodyBytes = maxBodyBytes;
    }

    /** The body; fails with a 400 if it is no JSON object, and with a 413 if it is too large. */
    public Mono<JsonFields> read(ServerWebExchange exchange) {
        return WholeBody.read(exchange.getRequest().getBody(), maxBodyBytes)
                .defaultIfEmpty(new byte[0])
                .map(JsonObjects::object)
                .onErrorMap(DataBufferLimitException.class, tooLarge -> Problem.thrown(Problem.bodyTooLarge()));
    }

    /** Reads a body that says nothing: a caller that hangs up is noticed on Tomcat only after its request was read to its end. */
    public Mono<Void> skip(ServerWebExchange exchange) {
        return exchange.getRequest().getBody().map(DataBufferUtils::release).then();
    }

    private static JsonFields object(byte[] body) {
        JsonNode read;
        try {
            read = ServerJson.mapper().readTree(body);
        } catch (JacksonException e) {
            throw Problem.INVALID_BODY.with("the body is not JSON: " + e.getOriginalMessage());
        }
        if (!read.isObject()) {
            throw Problem.INVALID_BODY.with("the body must be a JSON object, and is "
                    + (read.isMissingNode() ? "empty" : "of the kind " + read.getNodeType()));
        }
        return new JsonFields(read);
    }
}
