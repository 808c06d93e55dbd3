package io.delayjob.spring.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The properties below a prefix, from the configuration metadata on the class path, which IDEs read as well.
 *
 * @param all the properties and groups
 */
record KnownProperties(List<KnownProperty> all) {

    static final String METADATA = "META-INF/spring-configuration-metadata.json";

    /** By how many letters a key may be wrong so that what was meant can be told. */
    private static final int FEW = 2;

    /** The properties below a prefix of every module on the class path. */
    static KnownProperties below(String prefix, @Nullable ClassLoader classes) {
        List<KnownProperty> found = new ArrayList<>();
        try {
            for (Resource module :
                    new PathMatchingResourcePatternResolver(classes).getResources("classpath*:" + METADATA)) {
                read(module, prefix + ".", found);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new KnownProperties(List.copyOf(found));
    }

    private static void read(Resource module, String prefix, List<KnownProperty> found) throws IOException {
        try (InputStream text = module.getInputStream()) {
            JsonNode metadata = JsonMapper.shared().readTree(text);
            add(metadata.path("properties"), prefix, found);
            add(metadata.path("groups"), prefix, found);
        }
    }

    private static void add(JsonNode described, String prefix, List<KnownProperty> found) {
        for (JsonNode one : described) {
            String name = one.path("name").asString("");
            if (name.startsWith(prefix)) {
                found.add(KnownProperty.of(name, one.path("type").asString("")));
            }
        }
    }

    boolean has(ConfigurationPropertyName key) {
        return all.stream().anyMatch(known -> known.has(key));
    }

    /** The key that an unknown key probably meant; empty if no known one is close. */
    Optional<String> nearest(ConfigurationPropertyName key) {
        return all.stream()
                .min(Comparator.comparingInt(known -> known.edits(key)))
                .filter(known -> known.edits(key) <= FEW)
                .map(known -> known.corrected(key));
    }
}
