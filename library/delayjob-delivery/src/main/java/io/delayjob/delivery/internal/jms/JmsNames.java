package io.delayjob.delivery.internal.jms;

/** Names of JMS properties, which are Java identifiers. */
final class JmsNames {

    private JmsNames() {}

    /** The name of a header as that of a property: what an identifier cannot have becomes {@code _}. */
    static String property(String header) {
        StringBuilder name = new StringBuilder(header);
        for (int i = 0; i < name.length(); i++) {
            if (!Character.isJavaIdentifierPart(name.charAt(i))) {
                name.setCharAt(i, '_');
            }
        }
        return Character.isJavaIdentifierStart(name.charAt(0)) ? name.toString() : "_" + name;
    }
}
