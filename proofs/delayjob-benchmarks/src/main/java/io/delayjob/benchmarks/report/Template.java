package io.delayjob.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** Fills in the templates beside this class. */
final class Template {

    private Template() {}

    static String fill(String name, Map<String, ?> values) {
        try (InputStream text = Objects.requireNonNull(Template.class.getResourceAsStream(name), name)) {
            return Mustache.compiler()
                    .escapeHTML(name.endsWith(".svg"))
                    .compile(new InputStreamReader(text, UTF_8))
                    .execute(values);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
