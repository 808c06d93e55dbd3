package io.delayjob.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutableFinderIT {
    @TempDir
    private Path bin;

    @TempDir
    private Path otherBin;

    @Test
    void takesTheFirstProgramThatIsNewEnough() throws IOException {
        program(bin, "redis-server", "echo 'Redis server v=6.0.16 sha=00000000:0 bits=64'");
        Path fits = program(otherBin, "redis-server", "echo 'Redis server v=7.0.15 sha=00000000:0 bits=64'");
        assertThat(finder(bin, otherBin).find(bin)).isEqualTo(new RedisExecutable(fits, "7.0.15"));
    }

    @Test
    void takesValkey() throws IOException {
        Path valkey = program(bin, "valkey-server", "echo 'Valkey server v=8.1.1 sha=00000000:0 bits=64'");
        assertThat(finder(bin).find(bin)).isEqualTo(new RedisExecutable(valkey, "8.1.1"));
    }

    @Test
    void saysWhatWasTriedAndWhatToDoWhenNothingFits() throws IOException {
        Path old = program(bin, "redis-server", "echo 'Redis server v=5.0.14.1 sha=00000000:0 bits=64'");
        Path broken =
                program(otherBin, "valkey-server", "echo 'libssl.so.3: cannot open shared object file'; exit 127");
        ExecutableFinder finder = finder(bin, otherBin);
        assertThatThrownBy(() -> finder.find(bin))
                .isInstanceOf(EmbeddedRedisException.class)
                .hasMessageContainingAll(
                        old + ": version 5.0.14.1 is older than 6.2",
                        broken + ": ends with exit code 127: libssl.so.3: cannot open",
                        "bundled server: there is none for this operating system and processor",
                        "Install redis-server or valkey-server 6.2 or newer",
                        "spring.data.redis.host");
    }

    @Test
    void saysThatThePathHoldsNone() {
        ExecutableFinder finder = finder(bin);
        assertThatThrownBy(() -> finder.find(bin))
                .hasMessageContaining("redis-server, valkey-server on the PATH: not there");
    }

    private ExecutableFinder finder(Path... folders) {
        return new ExecutableFinder(new SearchPath(List.of(folders)), new BundledExecutable(null, bin));
    }

    private static Path program(Path folder, String name, String body) throws IOException {
        Path program = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program;
    }
}
