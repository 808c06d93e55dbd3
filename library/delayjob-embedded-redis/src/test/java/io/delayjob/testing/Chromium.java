package io.delayjob.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real browser, steered by chromedriver as the WebDriver standard says. */
public final class Chromium implements AutoCloseable {

    private static final String CONTROL = "\uE009";
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern GONE = Pattern.compile("\"error\":\"(no such element|stale element reference)\"");
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int STARTS = 10;
    private static final List<String> BROWSERS = List.of("chromium", "chromium-browser", "google-chrome");

    private final Process driver;
    private final String session;
    private @Nullable String before;

    private Chromium(Process driver, String session) {
        this.driver = driver;
        this.session = session;
    }

    /** Why there is no browser on this machine; empty if there is one. */
    public static Optional<String> missing() {
        return onPath("chromedriver").isEmpty() || browser().isEmpty()
                ? Optional.of("Skipped: no chromedriver and " + BROWSERS
                        + " on the PATH. On Debian: apt-get install chromium chromium-driver")
                : Optional.empty();
    }

    /** Skips a test, and says why, if there is no browser on this machine. */
    public static void assumeFound(Class<?> test) {
        missing().ifPresent(why -> {
            System.out.println(test.getSimpleName() + ": " + why);
            Assumptions.abort(why);
        });
    }

    private static Optional<Path> browser() {
        return BROWSERS.stream().flatMap(name -> onPath(name).stream()).findFirst();
    }

    private static Optional<Path> onPath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Starts a browser with a window of some width. */
    public static Chromium start(int width, int height) throws IOException {
        Driver driver = startDriver();
        try {
            return new Chromium(driver.process(), openSession("http://127.0.0.1:" + driver.port(), width, height));
        } catch (Throwable e) {
            driver.process().destroy();
            throw e;
        }
    }

    private static String openSession(String root, int width, int height) {
        Map<String, Object> options = Map.of(
                "binary",
                browser().orElseThrow().toString(),
                "args",
                List.of(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--hide-scrollbars",
                        "--lang=en-US",
                        "--window-size=" + width + "," + height));
        Map<String, Object> capabilities = Map.of(
                "browserName",
                "chrome",
                "goog:chromeOptions",
                options,
                "timeouts",
                Map.of("script", PATIENCE.toMillis()));
        JsonNode opened = call("POST", root + "/session", Map.of("capabilities", Map.of("alwaysMatch", capabilities)));
        return root + "/session/" + opened.path("sessionId").asString("");
    }

    /**
     * Starts chromedriver. It takes any free port of {@code ::1} and then the same one of {@code 127.0.0.1}, and ends if
     * another process has that, so it is started again.
     */
    private static Driver startDriver() throws IOException {
        List<String> said = new ArrayList<>();
        for (int i = 0; i < STARTS; i++) {
            Process driver = new ProcessBuilder(
                            onPath("chromedriver").orElseThrow().toString(), "--port=0")
                    .redirectErrorStream(true)
                    .start();
            BufferedReader lines = driver.inputReader(StandardCharsets.UTF_8);
            said.clear();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher port = PORT.matcher(line);
                if (port.find()) {
                    return new Driver(driver, port.group(1));
                }
                said.add(line);
            }
        }
        throw new IOException("chromedriver ended " + STARTS + " times before it had a port. At last it said: " + said);
    }

    private record Driver(Process process, String port) {}

    private static JsonNode call(String method, String url, Map<String, ?> body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url)).timeout(PATIENCE);
        request.method(
                method,
                method.equals("POST")
                        ? HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(body))
                        : HttpRequest.BodyPublishers.noBody());
        HttpResponse<String> answer = send(request.build());
        if (answer.statusCode() >= 300) {
            throw new AssertionError(url + ": " + answer.body());
        }
        return JSON.readTree(answer.body()).path("value");
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Opens a window beside the one that is used, and goes on in it. */
    public String openWindow() {
        String opened = call("POST", session + "/window/new", Map.of("type", "window"))
                .path("handle")
                .asString("");
        goTo(opened);
        return opened;
    }

    /** Goes on in another window. */
    public void goTo(String window) {
        call("POST", session + "/window", Map.of("handle", window));
    }

    /** The window that is used. */
    public String window() {
        return call("GET", session + "/window", Map.of()).asString("");
    }

    /** Closes the window that is used, and goes on in another one. */
    public void closeWindow(String other) {
        call("DELETE", session + "/window", Map.of());
        goTo(other);
    }

    /** Tells the page that nobody sees its window. */
    public void hide() {
        run("Object.defineProperty(document, 'hidden', { value: true });"
                + "document.dispatchEvent(new Event('visibilitychange'))");
    }

    /** Opens a page, and waits until it is loaded. */
    public void open(String url) {
        call("POST", session + "/url", Map.of("url", url));
    }

    /** Runs a script in the page and returns its result. */
    public JsonNode run(String script) {
        return call("POST", session + "/execute/sync", Map.of("script", script, "args", List.of()));
    }

    /** Shows pages in a window of some width, in the dark theme or in the light one, at rest. */
    public void looksAt(int width, boolean dark) {
        tool(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        tool(
                "Emulation.setEmulatedMedia",
                Map.of(
                        "features",
                        List.of(
                                Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"),
                                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    }

    /** A picture of the whole page, as PNG. */
    public byte[] picture() {
        JsonNode made = tool("Page.captureScreenshot", Map.of("captureBeyondViewport", true));
        return Base64.getDecoder().decode(made.path("data").asString(""));
    }

    private JsonNode tool(String command, Map<String, ?> params) {
        return call("POST", session + "/goog/cdp/execute", Map.of("cmd", command, "params", params));
    }

    /** The text of the page, as somebody sees it. */
    public String text() {
        return run("return document.body.innerText").asString("");
    }

    private String element(String css) {
        JsonNode found = call("POST", session + "/element", Map.of("using", "css selector", "value", css));
        return session + "/element/" + found.iterator().next().asString("");
    }

    /** Clicks on the first element that a selector finds, once there is one; again if the page changes by itself before the click. */
    public void click(String css) {
        await().untilAsserted(() -> assertThat(hasClicked(css))
                .as(() -> css + " on " + run("return location.href").asString("") + ": " + text())
                .isTrue());
    }

    /** An element that goes while it is clicked has led to another page, if there is another one; or something else has replaced it. */
    private boolean hasClicked(String css) {
        String page = page();
        boolean found = false;
        try {
            String element = element(css);
            found = true;
            call("POST", element + "/click", Map.of());
            return true;
        } catch (AssertionError e) {
            if (GONE.matcher(String.valueOf(e.getMessage())).find()) {
                return found && !page().equals(page);
            }
            throw e;
        }
    }

    /** A mark of the page that is shown, which the next one does not have. */
    private String page() {
        return run("return window.delayjobPage ??= String(Math.random())").asString("");
    }

    /** Types into the first element that a selector finds. */
    public void type(String css, String text) {
        call("POST", element(css) + "/value", Map.of("text", text));
    }

    /** Presses a key, wherever the focus is. */
    public void press(String key) {
        press(List.of(key));
    }

    /** Presses a key while Ctrl is held. */
    public void pressWithControl(String key) {
        press(List.of(CONTROL, key));
    }

    private void press(List<String> keys) {
        List<Map<String, String>> actions = new ArrayList<>();
        keys.forEach(key -> actions.add(Map.of("type", "keyDown", "value", key)));
        keys.forEach(key -> actions.add(Map.of("type", "keyUp", "value", key)));
        call(
                "POST",
                session + "/actions",
                Map.of("actions", List.of(Map.of("type", "key", "id", "keyboard", "actions", actions))));
    }

    /** Runs a script in every page that is opened from now on, before its own; an empty one ends that. */
    public void runsBefore(String script) {
        if (before != null) {
            tool("Page.removeScriptToEvaluateOnNewDocument", Map.of("identifier", before));
            before = null;
        }
        if (!script.isEmpty()) {
            before = tool("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script))
                    .path("identifier")
                    .asString("");
        }
    }

    /** Forgets all cookies, as if the sign-ins that they stand for had ended. */
    public void forgetCookies() {
        call("DELETE", session + "/cookie", Map.of());
    }

    /** Forgets all that it has kept of pages, so that the next one is loaded as by somebody new. */
    public void forget() {
        tool("Network.clearBrowserCache", Map.of());
    }

    @Override
    public void close() {
        try {
            call("DELETE", session, Map.of());
        } finally {
            driver.destroy();
        }
    }
}
