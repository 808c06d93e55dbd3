package io.delayjob.server.command;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ApplicationArguments;

/**
 * The options of a command. Those with a dot in their name are properties of the application.
 *
 * @param own options of the command, by name
 * @param properties properties of the application, by name
 */
record Options(Map<String, String> own, Map<String, String> properties) {

    /** Reads them. */
    static Options of(ApplicationArguments arguments) {
        Map<String, String> own = new TreeMap<>();
        Map<String, String> properties = new TreeMap<>();
        for (String name : arguments.getOptionNames()) {
            List<String> values = arguments.getOptionValues(name);
            boolean property = name.contains(".");
            if (!property && values != null && values.size() > 1) {
                throw new BadCommandException("--" + name + " is given " + values.size() + " times: " + values);
            }
            (property ? properties : own).put(name, values == null ? "" : String.join(",", values));
        }
        return new Options(own, properties);
    }

    /** Refuses options that a command does not have. */
    void allow(String command, Set<String> names) {
        Set<String> unknown = new TreeSet<>(own.keySet());
        unknown.removeAll(names);
        if (!unknown.isEmpty()) {
            throw new BadCommandException(command + " has no option --" + String.join(", --", unknown) + "; it has --"
                    + String.join(", --", new TreeSet<>(names)));
        }
    }

    boolean has(String name) {
        return own.containsKey(name);
    }

    /** The value of an option; null if it is not given. */
    @Nullable String text(String name) {
        String value = own.get(name);
        if (value != null && value.isEmpty()) {
            throw new BadCommandException("--" + name + " needs a value: --" + name + "=…");
        }
        return value;
    }

    String required(String name) {
        String value = text(name);
        if (value == null) {
            throw new BadCommandException("--" + name + "=… is missing");
        }
        return value;
    }

    @Nullable Instant time(String name) {
        String value = text(name);
        try {
            return value == null ? null : Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new BadCommandException("--" + name + " is a time such as 2030-01-31T08:00:00Z: '" + value + "'");
        }
    }

    @Nullable Integer number(String name) {
        String value = text(name);
        try {
            return value == null ? null : Integer.valueOf(value);
        } catch (NumberFormatException e) {
            throw new BadCommandException("--" + name + " is a whole number: '" + value + "'");
        }
    }

    /** Whether something is wanted: {@code --yes}, {@code --yes=true} or {@code --yes=false}. */
    boolean flag(String name, boolean otherwise) {
        String value = own.get(name);
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "", "true" -> true;
            case "false" -> false;
            default -> throw new BadCommandException("--" + name + " is true or false: '" + value + "'");
        };
    }
}
