package io.delayjob.engine;

/** The param of jobs in tests. */
public record Note(String text, int number) {}
