package io.delayjob.server.internal.web;

import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.reactive.result.method.annotation.ResponseEntityExceptionHandler;

/** Answers a request that no route is for with a problem. */
@ControllerAdvice
public final class UnknownRoutes extends ResponseEntityExceptionHandler {}
