package io.delayjob.delivery;

import io.delayjob.support.Checks;
import io.delayjob.support.QueueNames;
import java.util.regex.Pattern;

/**
 * A type of jobs that an application runs when it is called back. It has a topic and a queue that no other type of any application has.
 *
 * @param application the name of the application, 1 to 63 of {@code A-Z a-z 0-9 . _ -}
 * @param type the type, free text of 1 to 128 characters without commas, control characters, and blanks at its ends
 */
public record ClientType(String application, String type) {

    private static final Pattern APPLICATION = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");
    private static final int LONGEST_TYPE = 128;

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is malformed; the message names it
     */
    public ClientType {
        checkApplication(application);
        if (type == null || type.length() > LONGEST_TYPE || !isText(type)) {
            throw new IllegalArgumentException("the type of a job must have 1 to " + LONGEST_TYPE
                    + " characters, without commas, control characters, and blanks at its ends: " + Checks.shown(type));
        }
        if (!Checks.isQueue(queue(application, type))) {
            throw new IllegalArgumentException(
                    "application " + Checks.shown(application) + " must have at most 30 characters for type "
                            + Checks.shown(type) + ", whose queue is named by a digest");
        }
    }

    static void checkApplication(String application) {
        if (application == null || !APPLICATION.matcher(application).matches()) {
            throw new IllegalArgumentException(
                    "application must be 1 to 63 of A-Z a-z 0-9 . _ -: " + Checks.shown(application));
        }
    }

    private static boolean isText(String type) {
        return !type.isEmpty()
                && type.equals(type.strip())
                && type.chars().noneMatch(character -> character == ',' || Character.isISOControl(character));
    }

    /**
     * The topic of its jobs: application, {@code -} and type, in which each {@code -} is doubled, because applications have some, too.
     *
     * @return such as {@code shop-mail} or {@code shop-close--order}
     */
    public String topic() {
        return application + "-" + doubled(type);
    }

    /**
     * The queue of its jobs: named as the topic, or by a digest if that is not the name of a queue.
     *
     * @return such as {@code shop-mail}
     */
    public String queue() {
        return queue(application, type);
    }

    private static String queue(String application, String type) {
        return QueueNames.of(application + "-", doubled(type));
    }

    private static String doubled(String type) {
        return type.replace("-", "--");
    }
}
