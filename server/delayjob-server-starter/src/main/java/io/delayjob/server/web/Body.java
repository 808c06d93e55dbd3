package io.delayjob.server.web;

/** The body of a request. Read strictly: an unknown field, a repeated one, or a value of another type is refused by name. */
public interface Body {}
