package io.delayjob.server.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Says at the start where the API, the console and the older protocols are. */
final class StartLog implements ApplicationListener<WebServerInitializedEvent> {

    private static final Logger log = LoggerFactory.getLogger(StartLog.class);

    private final Served served;
    private final DelayJobServerProperties server;
    private final Environment properties;

    StartLog(Served served, DelayJobServerProperties server, Environment properties) {
        this.served = served;
        this.server = server;
        this.properties = properties;
    }

    @Override
    public void onApplicationEvent(WebServerInitializedEvent started) {
        // Not the server of the actuator, which may have a port of its own.
        if (started.getApplicationContext().getServerNamespace() == null) {
            log.info("delayjob serves on port {}: {}", started.getWebServer().getPort(), String.join(", ", places()));
        }
    }

    private List<String> places() {
        List<String> places = new ArrayList<>();
        if (served.console()) {
            places.add("the console at " + at(served.consolePath()));
        }
        places.add(
                served.api()
                        ? "the HTTP API at " + at(server.path())
                        : "no HTTP API (delayjob.server.enabled=true serves it at " + at(server.path()) + ")");
        if (server.protocols().delayQueue().enabled()) {
            places.add("the HTTP delay queue at "
                    + at(server.protocols().delayQueue().path()));
        }
        if (server.protocols().mykit().enabled()) {
            places.add(
                    "mykit-delay's routes at " + at(server.protocols().mykit().path()));
        }
        return places;
    }

    private String at(String path) {
        String base = properties.getProperty(
                "server.servlet.context-path", properties.getProperty("spring.webflux.base-path", ""));
        return StringUtils.trimTrailingCharacter(base, '/') + path;
    }
}
