package io.delayjob.delivery.internal.services;

import java.net.URI;
import java.util.Map;

/**
 * One running process of a service.
 *
 * @param id its id, unique among those of the service
 * @param address where it serves, such as {@code http://10.0.0.7:8080}
 * @param metadata the metadata that it gave to the registry
 */
public record Instance(String id, URI address, Map<String, String> metadata) {}
