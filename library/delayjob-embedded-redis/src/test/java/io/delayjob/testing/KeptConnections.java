package io.delayjob.testing;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Requests of the JDK's HTTP client, which keeps connections open for the next request. */
public final class KeptConnections {

    private KeptConnections() {}

    /**
     * Sends a request. It is sent again, once, if its connection ended before a byte of the answer was there: a server may end a kept connection just as a
     * request is sent on it. The client itself does so for GET only.
     */
    public static <T> HttpResponse<T> send(HttpClient client, HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        try {
            return client.send(request, body);
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("received no bytes")) {
                throw e;
            }
            System.out.println("no answer to " + request + ", which is sent again: " + e.getMessage());
            return client.send(request, body);
        }
    }
}
