package io.delayjob.testing;

import java.util.Collection;
import java.util.stream.Stream;

/**
 * The variants of a test, such as servers or databases: the usual one in every build, the others with the profile {@code proofs}.
 *
 * <p>The test class has the tag {@code variants}, so that the profile runs it.
 */
public final class Variants {

    /** The tag of a class whose variants differ between the two builds. */
    public static final String TAG = "variants";

    private Variants() {}

    /**
     * Chooses the variants of this build.
     *
     * @param usual runs in every build
     * @param others run with the profile {@code proofs}
     * @param <T> their type
     * @return the usual one alone, or the others
     */
    public static <T> Stream<T> of(T usual, Collection<T> others) {
        return proofs() ? others.stream() : Stream.of(usual);
    }

    /**
     * Chooses how often this build tries something random.
     *
     * @param usual in every build
     * @param many with the profile {@code proofs}
     * @return one of the two
     */
    public static int tries(int usual, int many) {
        return proofs() ? many : usual;
    }

    /** Whether this build has the profile {@code proofs}. */
    public static boolean proofs() {
        return Boolean.getBoolean("delayjob.proofs");
    }
}
