package io.delayjob.redisson.internal.redis;

import io.delayjob.engine.ledger.LedgerException;
import io.delayjob.engine.ledger.LedgerException.Kind;
import io.delayjob.engine.ledger.Replication;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.redisson.RedissonShutdownException;
import org.redisson.client.RedisAuthRequiredException;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNoScriptException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisOutOfMemoryException;
import org.redisson.client.RedisReadonlyException;
import org.redisson.client.RedisReconnectedException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisRetryException;
import org.redisson.client.RedisTimeoutException;
import org.redisson.client.RedisWrongPasswordException;

/**
 * Explains a failed script call to users, and says whether it ran. Redisson's own messages are not shown, because they contain the
 * arguments.
 */
final class RedisFailures {

    /** An error of Redis, which begins with a code, also if a script passes it on: {@code ERR ... -READONLY ...}. */
    private static final Pattern SERVER_ERROR = Pattern.compile("^-?([A-Z]{2,})\\b[^\\n]*");

    /** Errors that pass by themselves: during a failover, while slots move, while a replica is away. */
    private static final Pattern NOT_READY = Pattern.compile("\\b(READONLY|NOREPLICAS|MOVED|CLUSTERDOWN)\\b");

    /** The script and connection in a message, which do not help users. */
    private static final Pattern WHERE = Pattern.compile("(?s)(\\. channel:| script: ).*");

    /** The place in a script where an error was raised, before the script's own message. */
    private static final Pattern RAISED = Pattern.compile("^-?ERR .*user_script: ?\\d+: (?=[A-Z]{2})");

    /** The user may not run a command or use a key in a script; Redis 6 and 7 have no error code for it. */
    private static final Pattern FORBIDDEN =
            Pattern.compile("(?:The user executing the script|(?<=ACL failure in script: )).*");

    /** The user's name, which newer versions of Redis mention. */
    private static final Pattern USER = Pattern.compile("\\bUser \\S+ has\\b");

    private RedisFailures() {}

    /**
     * Makes the exception for a failed call: whether it ran, and why it failed.
     *
     * @param servers where the client looks for Redis, as {@link Servers} describes it
     */
    static LedgerException explain(String script, Throwable failure, String servers) {
        Throwable cause = cause(failure);
        if (cause instanceof LedgerException known) {
            return known;
        }
        Kind kind = kind(cause);
        String who = kind == Kind.NOT_RUN && neverSent(cause) ? servers : "Redis";
        return new LedgerException(kind, who + " " + words(kind, cause) + " (" + script + ")", RedisError.of(cause));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** The failure of a batch whose script has run but whose WAIT failed: its master may have become a replica. */
    static LedgerException whileWaiting(String script, Throwable failure) {
        return new LedgerException(
                Kind.UNKNOWN,
                "Redis did not say how many replicas acknowledged it: " + serverError(failure) + " (" + script + ")",
                RedisError.of(failure));
    }

    /** The message for too few acknowledgements, with a possible cause. */
    static String notReplicated(String script, Replication replication, int reached) {
        return reached + " of " + replication.replicas() + " replicas acknowledged it within " + replication.timeout()
                + "; if Redis has fewer, lower delayjob.replication.replicas (" + script + ")";
    }

    /** Whether a batch did not run because its script was not loaded or its transaction was rejected. */
    static boolean thrownBack(Throwable failure) {
        Throwable cause = cause(failure);
        return cause instanceof RedisNoScriptException
                || text(cause).startsWith("EXECABORT")
                || text(cause).contains("EXEC without MULTI");
    }

    private static Kind kind(Throwable cause) {
        if (cause instanceof RedissonShutdownException) {
            return Kind.SHUT_DOWN;
        }
        if (cause instanceof RedisResponseTimeoutException || cause instanceof RedisReconnectedException) {
            return Kind.UNKNOWN;
        }
        if (neverSent(cause) || cause instanceof RedisRetryException || saysNotReady(cause)) {
            return Kind.NOT_RUN;
        }
        return refused(cause) ? Kind.REFUSED : Kind.UNKNOWN;
    }

    private static boolean neverSent(Throwable cause) {
        return cause instanceof RedisTimeoutException
                || cause instanceof RedisConnectionException
                || cause instanceof RedisNodeNotFoundException
                || cause instanceof RedisNoScriptException
                || notConnected(cause);
    }

    /** Whether a connection was refused: Redisson wraps that in an exception that has other meanings too. */
    private static boolean notConnected(Throwable cause) {
        for (Throwable inner = cause; inner != null && inner != inner.getCause(); inner = inner.getCause()) {
            if (inner instanceof ConnectException || inner instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }

    /** Whether Redis is not ready, also if a script passes that on, or if Redisson gave up following a moving slot. */
    private static boolean saysNotReady(Throwable cause) {
        return cause instanceof RedisReadonlyException
                || (cause instanceof RedisException
                        && NOT_READY.matcher(serverWords(text(cause))).find());
    }

    private static boolean refused(Throwable cause) {
        return cause instanceof RedisOutOfMemoryException
                || cause instanceof RedisAuthRequiredException
                || cause instanceof RedisWrongPasswordException
                || (cause instanceof RedisException
                        && SERVER_ERROR.matcher(text(cause)).find());
    }

    private static String words(Kind kind, Throwable cause) {
        return switch (kind) {
            case SHUT_DOWN -> "client is shut down";
            case UNKNOWN -> "did not answer in time";
            case NOT_RUN -> neverSent(cause) ? "cannot be reached" : "is not ready: " + serverError(cause);
            case REFUSED -> "refused: " + serverError(cause);
            case NOT_REPLICATED -> throw new IllegalArgumentException("not a failure of a script", cause);
            case GARBLED -> "gave an invalid answer";
        };
    }

    /** The server's error without the text that Redisson appends. */
    private static String serverError(Throwable cause) {
        if (cause instanceof RedisOutOfMemoryException) {
            return "OOM command not allowed when used memory > 'maxmemory'";
        }
        Matcher error = SERVER_ERROR.matcher(text(cause));
        String words = error.find() ? error.group() : cause.getClass().getSimpleName();
        Matcher forbidden = FORBIDDEN.matcher(words);
        String said = forbidden.find()
                ? "NOPERM " + forbidden.group()
                : RAISED.matcher(words).replaceFirst("");
        return serverWords(USER.matcher(said).replaceAll("this user has"));
    }

    private static String serverWords(String text) {
        return WHERE.matcher(text).replaceFirst("");
    }

    private static String text(Throwable cause) {
        return cause.getMessage() == null ? "" : cause.getMessage();
    }
}
