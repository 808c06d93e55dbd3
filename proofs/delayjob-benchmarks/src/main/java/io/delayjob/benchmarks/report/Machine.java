package io.delayjob.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import io.delayjob.benchmarks.driver.Programs;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The machine and software that the numbers were measured on. */
public final class Machine {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    private Machine() {}

    /** Machine, system, JVM and date; without anything that tells whose machine it is. */
    public static Map<String, String> describe() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, String> machine = new LinkedHashMap<>();
        machine.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        machine.put("processor", system.getAvailableProcessors() + " × " + processor());
        machine.put("memory", Math.round(system.getTotalMemorySize() / (double) (1 << 30)) + " GiB");
        machine.put("system", system.getName() + " " + system.getVersion() + ", " + system.getArch());
        machine.put(
                "threads that only look at the clock stand still",
                "for up to " + Table.number(Standstill.longestMillis()) + " ms, one for each processor, in 10 s");
        machine.put("JVM", Runtime.version() + ", " + System.getProperty("java.vm.vendor"));
        machine.put("options of each JVM", String.join(" ", Programs.JVM));
        machine.put("Redisson", version(org.redisson.Redisson.class));
        machine.put("Spring Boot", org.springframework.boot.SpringBootVersion.getVersion());
        return machine;
    }

    private static String version(Class<?> type) {
        String version = type.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    private static String processor() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}
