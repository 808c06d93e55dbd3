package io.delayjob.engine.internal.running;

/** How many more jobs of a queue this node can take, as other nodes see it. */
public interface Room {

    /** How many jobs it can take at once. */
    int total();

    /** How many jobs it can take now. */
    int free();
}
