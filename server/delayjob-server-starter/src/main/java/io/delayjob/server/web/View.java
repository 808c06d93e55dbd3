package io.delayjob.server.web;

/** The body of an answer. Fields without a value are left out. */
public interface View {}
