package io.delayjob.server;

import io.delayjob.server.limits.Limits;
import io.delayjob.server.web.Problem;
import io.delayjob.support.Checks;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The access rights of the caller of a request. Every route and page checks them first.
 *
 * @param caller identifies the caller, in full
 * @param grant the caller's roles and queues
 * @param limits how much the caller may send
 * @param stillValid whether the caller still has these rights, for answers that take long
 * @param authorityPrefix the prefix of the authorities that give the caller its roles; null if something else gives them
 */
public record Access(
        String caller,
        Grant grant,
        Limits limits,
        Supplier<CompletableFuture<Boolean>> stillValid,
        @Nullable String authorityPrefix) {

    /** The attribute of a request that holds its caller's access. */
    public static final String ATTRIBUTE = "delayjob.access";

    /** The attribute of a request that came with a sign-in nobody knows: it counts as a wrong token. */
    public static final String UNKNOWN_SIGN_IN = "delayjob.unknown-sign-in";

    /** The topic, and the queue, of messages that delayjob-delivery sends to brokers. */
    private static final String BROKER_MESSAGES = "delayed-messages";

    private static final int LONGEST = 100;

    /**
     * The access of a caller without a token.
     *
     * @param name the name of the caller
     * @param grant the caller's roles and queues
     * @param stillValid whether the caller still has them
     * @return the access
     */
    public static Access of(String name, Grant grant, Supplier<CompletableFuture<Boolean>> stillValid) {
        return of(name, grant, stillValid, null);
    }

    /**
     * The access of a caller whose roles may come from authorities.
     *
     * @param name the name of the caller
     * @param grant the caller's roles and queues
     * @param stillValid whether the caller still has them
     * @param authorityPrefix the prefix of the authorities that give roles; null if something else gives them
     * @return the access
     */
    public static Access of(
            String name,
            Grant grant,
            Supplier<CompletableFuture<Boolean>> stillValid,
            @Nullable String authorityPrefix) {
        return new Access("caller '" + name + "'", grant, Limits.DEFAULT, stillValid, authorityPrefix);
    }

    /**
     * Allows something to callers that have one of the roles, whatever their queues.
     *
     * @param any the roles
     * @throws org.springframework.web.ErrorResponseException 403 if the caller has none of them
     */
    public void require(Role... any) {
        if (!grant.allows(any)) {
            throw Problem.FORBIDDEN.with(
                    "%s needs the role %s%s".formatted(shown(), labels("", any), authorities(any)));
        }
    }

    private String authorities(Role... any) {
        return authorityPrefix == null ? "" : ", which the authority " + labels(authorityPrefix, any) + " gives";
    }

    private static String labels(String prefix, Role... any) {
        return Arrays.stream(any).map(role -> prefix + role.label()).collect(Collectors.joining(" or "));
    }

    /**
     * Allows something that belongs to all queues.
     *
     * @param any the roles, of which the caller needs one
     * @throws org.springframework.web.ErrorResponseException 403 if the caller has none of the roles, or only some of the queues
     */
    public void requireForAll(Role... any) {
        require(any);
        if (!isForAll()) {
            throw Problem.FORBIDDEN.with("%s is not for all queues".formatted(shown()));
        }
    }

    /**
     * Allows something in one queue.
     *
     * @param queue the queue
     * @param any the roles, of which the caller needs one
     * @return the queue
     * @throws IllegalArgumentException if it is not the name of a queue
     * @throws org.springframework.web.ErrorResponseException 404 if the queue is not the caller's, 403 if it has none of the roles
     */
    public String require(String queue, Role... any) {
        Checks.queue(queue);
        if (!isFor(queue)) {
            throw Problem.NO_SUCH_QUEUE.with("%s knows no queue '%s'".formatted(shown(), queue));
        }
        require(any);
        return queue;
    }

    /**
     * Allows something in each of several queues.
     *
     * @param queues the queues
     * @param any the roles, of which the caller needs one
     */
    public void require(Collection<String> queues, Role... any) {
        queues.forEach(queue -> require(queue, any));
    }

    /**
     * Allows the submit of a job.
     *
     * @param queue the queue
     * @param topic the topic of the job. Jobs of topic {@code delayed-messages} send to any broker destination that their param names, so only
     *     an admin may submit them, or a caller whose queues name the queue {@code delayed-messages} in full
     * @return the queue
     * @throws IllegalArgumentException if it is not the name of a queue
     * @throws org.springframework.web.ErrorResponseException 404 if the queue is not the caller's, 403 if it may not submit this there
     */
    public String requireSubmit(String queue, String topic) {
        require(queue, Role.SUBMIT);
        if (topic.equals(BROKER_MESSAGES)
                && !grant.allows(Role.ADMIN)
                && !grant.queues().contains(BROKER_MESSAGES)) {
            throw Problem.FORBIDDEN.with(
                    "%s may not submit jobs of topic '%2$s', which send to any destination of a broker: name queue '%2$s' in full among its queues, or give it the role admin"
                            .formatted(shown(), BROKER_MESSAGES));
        }
        return queue;
    }

    /** {@return the name of the caller for answers, cut if it is very long} */
    public String shown() {
        return caller.length() > LONGEST ? caller.substring(0, LONGEST) + "…" : caller;
    }

    /** {@return whether all queues are the caller's} */
    public boolean isForAll() {
        return grant.queues().equals(Grant.ALL_QUEUES);
    }

    /**
     * Whether a queue is the caller's.
     *
     * @param queue the queue
     * @return true if it is
     */
    public boolean isFor(String queue) {
        return grant.isFor(queue);
    }
}
