package io.delayjob.server.internal.web;

/** What an answer carries. Fields without a value are left out. */
public interface View {}
