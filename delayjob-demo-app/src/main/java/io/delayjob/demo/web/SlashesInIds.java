package io.delayjob.demo.web;

import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.TomcatConnectorCustomizer;
import org.springframework.stereotype.Component;

/** Lets {@code %2F} through in paths: an id may hold any character, and Tomcat would answer 400 for a slash. */
@Component
final class SlashesInIds implements TomcatConnectorCustomizer {

    @Override
    public void customize(Connector connector) {
        connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
    }
}
