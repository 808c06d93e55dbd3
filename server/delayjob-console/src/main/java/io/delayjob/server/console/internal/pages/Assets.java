package io.delayjob.server.console.internal.pages;

import io.delayjob.support.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/** The script and the style of the pages, and htmx from its webjar; read once. */
public final class Assets {

    private static final String OWN = "io/delayjob/server/console/assets/";
    private static final String HTMX = "META-INF/resources/webjars/htmx.org/2.0.10/dist/htmx.min.js";
    private static final MediaType SCRIPT = MediaType.parseMediaType("text/javascript;charset=utf-8");
    private static final MediaType STYLE = MediaType.parseMediaType("text/css;charset=utf-8");
    private static final MediaType ICON = MediaType.parseMediaType("image/svg+xml");
    private static final int VERSION = 12;

    private final Map<String, Asset> all = new LinkedHashMap<>();
    private final String version;

    /** A file, as it is and compressed. */
    static final class Asset {

        private final MediaType type;
        private final byte[] bytes;
        private final byte[] zipped;

        Asset(MediaType type, byte[] bytes) {
            this.type = type;
            this.bytes = bytes;
            this.zipped = gzip(bytes);
        }

        MediaType type() {
            return type;
        }

        byte[] bytes(boolean compressed) {
            return compressed ? zipped : bytes;
        }
    }

    /** Reads all of them. */
    public Assets() {
        all.put("htmx.js", new Asset(SCRIPT, read(HTMX)));
        all.put("console.js", new Asset(SCRIPT, read(OWN + "console.js")));
        all.put("live.js", new Asset(SCRIPT, read(OWN + "live.js")));
        all.put("console.css", new Asset(STYLE, read(OWN + "console.css")));
        all.put("icon.svg", new Asset(ICON, read(OWN + "icon.svg")));
        StringBuilder whole = new StringBuilder();
        all.values().forEach(asset -> whole.append(new String(asset.bytes(false), StandardCharsets.ISO_8859_1)));
        version = Digests.sha256(whole.toString()).substring(0, VERSION);
    }

    @Nullable Asset find(String name) {
        return all.get(name);
    }

    /** A part of their addresses that is another one when they are others. */
    public String version() {
        return version;
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(zipped)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return zipped.toByteArray();
    }

    private static byte[] read(String name) {
        try (InputStream file = Assets.class.getClassLoader().getResourceAsStream(name)) {
            return Objects.requireNonNull(file, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
