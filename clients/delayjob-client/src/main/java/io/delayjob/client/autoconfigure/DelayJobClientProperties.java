package io.delayjob.client.autoconfigure;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the HTTP client.
 *
 * @param url Address of the delayjob server, such as https://jobs.example.com. If not set, there is no client.
 * @param token Token that is sent to the server. If not set, the client does not start.
 * @param queue Queue of jobs whose request and class name none. If not set, each must name one.
 * @param timeout How long a submit or settlement may take, repeats included, and a claim beyond its wait.
 */
@ConfigurationProperties("delayjob.client")
record DelayJobClientProperties(
        @Nullable String url,
        @Nullable String token,
        @Nullable String queue,
        @DefaultValue("10s") Duration timeout) {

    /** Without the token. */
    @Override
    public String toString() {
        return "DelayJobClientProperties[url=" + url + ", queue=" + queue + ", timeout=" + timeout + "]";
    }
}
