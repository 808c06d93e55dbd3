package io.delayjob.testing;

/** Reads what INFO answers. */
final class Info {
    private Info() {}

    /** The value of a field, 0 when it is not there. */
    static String field(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElse("0");
    }
}
