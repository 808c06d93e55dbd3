package io.delayjob.reliability.node;

import static net.bytebuddy.matcher.ElementMatchers.nameStartsWith;
import static net.bytebuddy.matcher.ElementMatchers.named;

import java.time.Duration;
import java.time.Instant;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.MemberSubstitution;
import net.bytebuddy.dynamic.scaffold.MethodGraph;

/**
 * A wall clock that is wrong, for the code of delayjob, Redisson and Netty in this process: their calls of
 * {@link System#currentTimeMillis()} and {@link Instant#now()} are replaced as their classes are loaded. What libfaketime does
 * to a whole process, without a library that a machine may not have.
 */
public final class SkewedClock {

    private static volatile long skewMillis;

    private SkewedClock() {}

    /** Sets the clock of all classes that are loaded from now on ahead, or back if negative. */
    static void install(Duration skew) {
        skewMillis = skew.toMillis();
        new AgentBuilder.Default()
                .type(nameStartsWith("io.delayjob.")
                        .or(nameStartsWith("org.redisson."))
                        .or(nameStartsWith("io.netty."))
                        .and(net.bytebuddy.matcher.ElementMatchers.not(nameStartsWith("io.delayjob.reliability."))))
                .transform((builder, type, loader, module, domain) -> builder.visit(substitution()))
                .installOn(ByteBuddyAgent.install());
        System.out.println("the clock of this process is wrong by " + skew.toMinutes() + " minutes");
    }

    private static net.bytebuddy.asm.AsmVisitorWrapper substitution() {
        try {
            return MemberSubstitution.relaxed()
                    // What is replaced is static: without this, every type that is called is looked through with its
                    // supertypes.
                    .with(MethodGraph.Compiler.ForDeclaredMethods.INSTANCE)
                    .method(named("currentTimeMillis"))
                    .replaceWith(SkewedClock.class.getMethod("currentTimeMillis"))
                    .method(named("now")
                            .and(net.bytebuddy.matcher.ElementMatchers.isDeclaredBy(Instant.class))
                            .and(net.bytebuddy.matcher.ElementMatchers.takesNoArguments()))
                    .replaceWith(SkewedClock.class.getMethod("now"))
                    .on(net.bytebuddy.matcher.ElementMatchers.any());
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Called in place of {@link System#currentTimeMillis()}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + skewMillis;
    }

    /** Called in place of {@link Instant#now()}. */
    public static Instant now() {
        return Instant.now().plusMillis(skewMillis);
    }
}
