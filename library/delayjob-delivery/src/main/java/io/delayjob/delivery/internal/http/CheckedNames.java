package io.delayjob.delivery.internal.http;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Looks up the hosts that are connected to, and refuses closed addresses. The addresses that it answers are those connected to, so nothing
 * can change between the check and the connection. Looks up on threads of its own, each host on one: one with a slow DNS keeps no other.
 */
final class CheckedNames extends AddressResolverGroup<InetSocketAddress> {

    private static final int MOST_THREADS = 64;

    private final AddressRules rules;
    private final Names names;
    private final ThreadPoolExecutor threads =
            new ThreadPoolExecutor(0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
                Thread thread = new Thread(work, "delayjob-delivery-names");
                thread.setDaemon(true);
                return thread;
            });

    private final Map<String, CompletableFuture<InetAddress[]>> lookUps = new ConcurrentHashMap<>();

    CheckedNames(AddressRules rules, Names names) {
        this.rules = rules;
        this.names = names;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Resolver(executor);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        super.close();
    }

    /** A host is looked up once: callers that ask for it meanwhile get the same answer. */
    private CompletableFuture<InetAddress[]> lookUp(String host) {
        CompletableFuture<InetAddress[]> begun = new CompletableFuture<>();
        CompletableFuture<InetAddress[]> other = lookUps.putIfAbsent(host, begun);
        if (other != null) {
            return other;
        }
        try {
            threads.execute(() -> lookUp(host, begun));
        } catch (RejectedExecutionException e) {
            lookUps.remove(host);
            begun.completeExceptionally(new UnknownHostException(host + ": too many other look-ups are under way"));
        }
        return begun;
    }

    private void lookUp(String host, CompletableFuture<InetAddress[]> answer) {
        try {
            InetAddress[] found = names.lookUp(host);
            lookUps.remove(host);
            answer.complete(found);
        } catch (UnknownHostException | RuntimeException | Error e) {
            lookUps.remove(host);
            answer.completeExceptionally(e);
        }
    }

    private List<InetSocketAddress> checked(InetSocketAddress asked, InetAddress[] found) {
        for (InetAddress address : found) {
            rules.check(asked.getHostString(), address);
        }
        return Arrays.stream(found)
                .map(address -> new InetSocketAddress(address, asked.getPort()))
                .toList();
    }

    private final class Resolver extends AbstractAddressResolver<InetSocketAddress> {

        private Resolver(EventExecutor executor) {
            super(executor, InetSocketAddress.class);
        }

        /** So that an address that was no name is checked too. */
        @Override
        protected boolean doIsResolved(InetSocketAddress address) {
            return false;
        }

        @Override
        protected void doResolve(InetSocketAddress asked, Promise<InetSocketAddress> promise) {
            look(asked, promise, found -> found.get(0));
        }

        @Override
        protected void doResolveAll(InetSocketAddress asked, Promise<List<InetSocketAddress>> promise) {
            look(asked, promise, found -> found);
        }

        private <T> void look(
                InetSocketAddress asked, Promise<T> promise, Function<List<InetSocketAddress>, T> answer) {
            CompletableFuture<InetAddress[]> found = asked.isUnresolved()
                    ? lookUp(asked.getHostString())
                    : CompletableFuture.completedFuture(new InetAddress[] {asked.getAddress()});
            found.thenApply(addresses -> answer.apply(checked(asked, addresses)))
                    .whenComplete((one, failure) -> {
                        if (failure == null) {
                            promise.trySuccess(one);
                        } else {
                            promise.tryFailure(failure instanceof CompletionException ? failure.getCause() : failure);
                        }
                    });
        }
    }
}
