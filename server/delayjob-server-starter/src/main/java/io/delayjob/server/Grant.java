package io.delayjob.server;

import io.delayjob.support.Checks;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The roles of a caller of the HTTP API, and the queues in which it has them. Immutable.
 *
 * @param roles the roles of the caller; without any, it may do nothing
 * @param queues the queues in which it has the roles: names, or beginnings of names that end with {@code *}; at most 100.
 *     Other queues are hidden from it; an empty list hides all of them
 */
public record Grant(Set<Role> roles, List<String> queues) {

    /** Every queue. */
    public static final List<String> ALL_QUEUES = List.of("*");

    private static final Pattern QUEUES = Pattern.compile("[A-Za-z0-9._-]{0,63}\\*|[A-Za-z0-9._-]{1,64}");
    private static final int MAX_QUEUES = 100;

    /**
     * Checks the queues.
     *
     * @throws IllegalArgumentException if there are more than 100, or one is neither the name of a queue nor the beginning of one and
     *     {@code *}; the message names it
     */
    public Grant {
        Set<Role> inOrder = EnumSet.noneOf(Role.class);
        inOrder.addAll(roles);
        roles = Collections.unmodifiableSet(inOrder);
        queues = List.copyOf(queues);
        if (queues.size() > MAX_QUEUES) {
            throw new IllegalArgumentException("queues must be " + MAX_QUEUES + " at most: " + queues.size());
        }
        queues.forEach(Grant::checkQueues);
    }

    /**
     * Grants roles in every queue.
     *
     * @param roles the roles
     * @return the grant
     */
    public static Grant of(Collection<Role> roles) {
        return new Grant(Set.copyOf(roles), ALL_QUEUES);
    }

    private static void checkQueues(String pattern) {
        if (!QUEUES.matcher(pattern).matches()) {
            throw new IllegalArgumentException(
                    "queues must be names of queues, or the beginning of names and *: " + Checks.shown(pattern));
        }
    }

    /**
     * The same in other queues.
     *
     * @param newQueues names, or beginnings of names that end with {@code *}
     * @return the grant
     * @throws IllegalArgumentException if they are not allowed
     */
    public Grant in(List<String> newQueues) {
        return new Grant(roles, newQueues);
    }

    /**
     * Whether it includes any of some roles, as that of an admin always does.
     *
     * @param any the roles
     * @return true if it does
     */
    public boolean allows(Role... any) {
        return roles.contains(Role.ADMIN) || List.of(any).stream().anyMatch(roles::contains);
    }

    /**
     * Whether it is for a queue.
     *
     * @param queue the name of the queue
     * @return true if it is
     */
    public boolean isFor(String queue) {
        return queues.stream().anyMatch(pattern -> matches(pattern, queue));
    }

    /**
     * Whether it includes all that another one does.
     *
     * @param other the other one
     * @return true if whoever has this one may do at least as much, in at least the same queues
     */
    public boolean includes(Grant other) {
        return (roles.contains(Role.ADMIN) || roles.containsAll(other.roles))
                && other.queues.stream().allMatch(this::includesAll);
    }

    private boolean includesAll(String pattern) {
        return queues.contains(pattern)
                || queues.stream().filter(own -> own.endsWith("*")).anyMatch(own -> matches(own, pattern));
    }

    private static boolean matches(String pattern, String queue) {
        return pattern.endsWith("*")
                ? queue.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(queue);
    }
}
