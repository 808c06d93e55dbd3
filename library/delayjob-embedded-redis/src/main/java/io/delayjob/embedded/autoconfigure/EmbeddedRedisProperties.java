package io.delayjob.embedded.autoconfigure;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * A Redis of the application's own.
 *
 * @param folder Folder of its data. If set, and no other property says where Redis is, the application starts a Redis there, or uses
 *     the one that runs there already. With false it starts none.
 */
@ConfigurationProperties("embedded-redis")
record EmbeddedRedisProperties(Path folder) {}
