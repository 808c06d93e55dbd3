package io.delayjob.server.console;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A browser that watches the overview. */
final class Watcher implements AutoCloseable {

    private final HttpURLConnection connection;
    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile String last = "";
    private String[] page = {};

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
            String event = "";
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event:")) {
                    event = line.substring("event:".length());
                } else if (line.startsWith("data:")) {
                    told(event, line.substring("data:".length()));
                    event = "";
                }
            }
        } catch (IOException e) {
            // It hung up.
            return;
        }
    }

    private void told(String event, String data) {
        bytes.addAndGet(data.getBytes(StandardCharsets.UTF_8).length);
        if (event.isEmpty()) {
            page = data.split("\t", -1);
        } else if (event.equals("changes") && !data.isEmpty()) {
            for (String change : data.split("\t", -1)) {
                int at = change.indexOf(' ');
                page[Integer.parseInt(change.substring(0, at))] = change.substring(at + 1);
            }
        }
        last = String.join("\n", page);
        messages.incrementAndGet();
    }

    int messages() {
        return messages.get();
    }

    /** How many bytes the messages had. */
    long bytes() {
        return bytes.get();
    }

    /** The part of the page that changes, as the last message left it. */
    String last() {
        return last;
    }

    @Override
    public void close() {
        connection.disconnect();
    }
}
