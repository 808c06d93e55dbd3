package io.delayjob.server.internal.protocols.mykit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.delayjob.server.web.View;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/**
 * The answer to every call. Fields without a value are null.
 *
 * @param success whether the call succeeded
 * @param data the result of the call; null if there is none
 * @param message why it failed
 * @param code 200 or 500
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record MykitAnswer(
        boolean success, @Nullable Object data, @Nullable String message, int code) implements View {

    static MykitAnswer done(@Nullable Object data) {
        return new MykitAnswer(true, data, null, HttpStatus.OK.value());
    }

    static MykitAnswer failed(@Nullable String message) {
        return new MykitAnswer(false, null, message, HttpStatus.INTERNAL_SERVER_ERROR.value());
    }

    static MykitAnswer of(ProblemDetail problem) {
        return failed(problem.getDetail());
    }
}
