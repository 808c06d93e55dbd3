package io.delayjob.server.autoconfigure;

/**
 * Routes that another module adds to those of the API in an application on a servlet container. They have the filters of the API, and of the
 * application what the API has.
 *
 * @param pattern the paths within the application, such as {@code /console/*}
 * @param configuration the configuration of the routes, as a WebFlux application would have it
 */
public record AddedRoutes(String pattern, Class<?> configuration) {}
