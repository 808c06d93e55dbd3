package io.delayjob.server.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A browser that watches the overview. */
final class Watcher implements AutoCloseable {

    private final HttpURLConnection connection;
    private final AtomicInteger messages = new AtomicInteger();
    private volatile String last = "";

    private Watcher(HttpURLConnection connection) {
        this.connection = connection;
    }

    static Watcher of(TestConsole.Browser browser) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create(browser.url() + browser.base() + "/live").toURL().openConnection();
        connection.setRequestProperty("Cookie", browser.cookie());
        Watcher watcher = new Watcher(connection);
        Thread reader = new Thread(watcher::read, "watcher");
        reader.setDaemon(true);
        reader.start();
        return watcher;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data:")) {
                    last = line;
                    messages.incrementAndGet();
                }
            }
        } catch (IOException e) {
            // It hung up.
            return;
        }
    }

    int messages() {
        return messages.get();
    }

    String last() {
        return last;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
