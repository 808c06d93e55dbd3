package io.delayjob.delivery.internal.broker;

import io.delayjob.delivery.Binding;
import io.delayjob.support.Checks;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.springframework.util.StringUtils;

/**
 * A target on a broker, such as {@code rocketmq:orders:paid?keys-header=orderId}.
 *
 * @param target the target as it was written, for error messages
 * @param place the part between the scheme and the question mark, decoded
 * @param options the options after the question mark, decoded
 */
public record Address(String target, String place, Map<String, String> options) {

    /**
     * The target of a binding.
     *
     * @param known the options that its transport has
     * @throws IllegalArgumentException if it is malformed or has another option
     */
    public static Address of(Binding binding, Set<String> known) {
        URI uri = binding.uri();
        String rest = uri.getRawSchemeSpecificPart();
        if (rest.startsWith("//")) {
            throw malformed(
                    binding.target(), "must not begin with //: the broker's own address is that of the template bean");
        }
        int mark = rest.indexOf('?');
        String place = decoded(mark < 0 ? rest : rest.substring(0, mark));
        Map<String, String> options = mark < 0 ? Map.of() : options(binding.target(), rest.substring(mark + 1), known);
        return new Address(binding.target(), place, options);
    }

    private static Map<String, String> options(String target, String query, Set<String> known) {
        Map<String, String> options = new TreeMap<>();
        for (String option : query.split("&", -1)) {
            int equal = option.indexOf('=');
            String name = equal < 0 ? option : decoded(option.substring(0, equal));
            String value = equal < 0 ? "" : decoded(option.substring(equal + 1));
            if (!known.contains(name) || value.isEmpty()) {
                throw malformed(
                        target,
                        "option " + Checks.shown(option)
                                + (known.contains(name) ? " has no value" : " is unknown; known are " + known));
            }
            options.put(name, value);
        }
        return options;
    }

    private static String decoded(String text) {
        return StringUtils.uriDecode(text, StandardCharsets.UTF_8);
    }

    /** The error of a target that cannot be used. */
    public IllegalArgumentException malformed(String why) {
        return malformed(target, why);
    }

    private static IllegalArgumentException malformed(String target, String why) {
        return new IllegalArgumentException("target " + Checks.shown(target) + " " + why);
    }

    /** The value of the header that an option names; {@code otherwise} if there is no such option or header. */
    public String header(String option, Map<String, String> headers, String otherwise) {
        String name = options.get(option);
        return name == null ? otherwise : headers.getOrDefault(name, otherwise);
    }
}
