package io.delayjob.server.internal.web;

/** What a request may carry. Read strictly: an unknown field, a repeated one, or a value of another type is refused by name. */
public interface Body {}
