package io.delayjob.client.beans;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * An application that a server calls back for its jobs.
 *
 * @param enabled Whether the beans and listeners of this application run when a server calls. Needs delayjob-spring-boot.
 * @param application Name of the application at the server. If not set, it is spring.application.name.
 * @param url Where the server reaches this process, such as https://worker-1.example.com. If set, the process registers there with the types
 *     of its jobs, and again every ten seconds. If not set, it is found by the metadata of its registry.
 * @param path Path that the server calls.
 * @param secrets What the calls of the server are signed with: whsec_ followed by base64 of 24 to 64 bytes; several during a rotation. If
 *     not set, calls are not verified.
 */
@ConfigurationProperties("delayjob.callback")
record CallbackProperties(
        @DefaultValue("false") boolean enabled,
        @Nullable String application,
        @Nullable String url,
        @DefaultValue("/hf/delay_queue/work") String path,
        @DefaultValue List<String> secrets) {

    /** Without the secrets. */
    @Override
    public String toString() {
        return "CallbackProperties[application=" + application + ", url=" + url + ", path=" + path + "]";
    }
}
