package io.delayjob.reliability.node;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.time.Instant;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.utility.OpenedClassReader;
import org.jspecify.annotations.Nullable;

/**
 * A wall clock that is wrong, for the code of delayjob, Redisson and Netty in this process: their calls of
 * {@link System#currentTimeMillis()} and {@link Instant#now()} are replaced as their classes are loaded. What libfaketime does
 * to a whole process, without a library that a machine may not have.
 */
public final class SkewedClock {

    private static final String OURS = "io/delayjob/reliability/node/SkewedClock";

    private static volatile long skewMillis;

    private SkewedClock() {}

    /** Sets the clock of all classes that are loaded from now on ahead, or back if negative. */
    static void install(Duration skew) {
        skewMillis = skew.toMillis();
        ByteBuddyAgent.install().addTransformer(new Transformer());
        System.out.println("the clock of this process is wrong by " + skew.toMinutes() + " minutes");
    }

    /** Called in place of {@link System#currentTimeMillis()}. */
    public static long currentTimeMillis() {
        return System.currentTimeMillis() + skewMillis;
    }

    /** Called in place of {@link Instant#now()}. */
    public static Instant now() {
        return Instant.now().plusMillis(skewMillis);
    }

    /** Rewrites a class as it is loaded. */
    private static final class Transformer implements ClassFileTransformer {

        @Override
        public byte @Nullable [] transform(
                ClassLoader loader, String name, @Nullable Class<?> type, ProtectionDomain domain, byte[] code) {
            return isSkewed(name) ? rewritten(code) : null;
        }

        private static boolean isSkewed(@Nullable String name) {
            return name != null
                    && !name.startsWith("io/delayjob/reliability/")
                    && (name.startsWith("io/delayjob/")
                            || name.startsWith("org/redisson/")
                            || name.startsWith("io/netty/"));
        }

        /** Calls are replaced by calls of the same shape, so that nothing else in the class need be known or changed. */
        private static byte[] rewritten(byte[] code) {
            ClassReader reader = OpenedClassReader.of(code);
            ClassWriter writer = new ClassWriter(reader, 0);
            reader.accept(new Calls(writer), 0);
            return writer.toByteArray();
        }
    }

    /** Visits the methods of a class. */
    private static final class Calls extends ClassVisitor {

        Calls(ClassVisitor next) {
            super(OpenedClassReader.ASM_API, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new MethodVisitor(
                    OpenedClassReader.ASM_API, super.visitMethod(access, name, descriptor, signature, exceptions)) {
                @Override
                public void visitMethodInsn(int code, String owner, String called, String shape, boolean isInterface) {
                    boolean clock = code == Opcodes.INVOKESTATIC && isClock(owner, called, shape);
                    super.visitMethodInsn(code, clock ? OURS : owner, called, shape, isInterface);
                }
            };
        }

        private static boolean isClock(String owner, String name, String shape) {
            return (owner.equals("java/lang/System") && name.equals("currentTimeMillis"))
                    || (owner.equals("java/time/Instant")
                            && name.equals("now")
                            && shape.equals("()Ljava/time/Instant;"));
        }
    }
}
