package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayjob.server.console.TestConsole.Kind;
import io.delayjob.testing.RealRedis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** The page of limits names each route and each limit that there is, and no other. */
@RealRedis
class LimitsPageIT {

    private static final Path PAGE = Path.of("../../../docs/limits.md");
    private static final Path SECURITY = Path.of("../../../docs/security.md");
    private static final Path PROPERTIES = Path.of("../../../docs/properties.md");
    private static final Pattern ROUTE = Pattern.compile("`((?:GET|POST|PUT|DELETE|\\*) /[^`]*)`");
    private static final Pattern LIMIT =
            Pattern.compile("`delayjob\\.(?:server\\.)?((?:console\\.)?limits\\.[a-z-]+)`");

    private static String routesOfPage() throws IOException {
        String page = Files.readString(PAGE);
        return page.substring(page.indexOf("## Routes"));
    }

    private static Stream<String> routes(RequestMappingInfo route) {
        Set<RequestMethod> methods = route.getMethodsCondition().getMethods();
        Collection<String> names = methods.isEmpty()
                ? Set.of("*")
                : methods.stream().map(RequestMethod::name).toList();
        return route.getPatternsCondition().getPatterns().stream()
                .map(pattern -> pattern.getPatternString()
                        .replaceFirst("^/api/v1(?=/)", "")
                        // The pattern of a path variable is no part of its name.
                        .replaceAll("\\{([a-z]+):[^}]*}", "{$1}"))
                .flatMap(path -> names.stream().map(method -> method + " " + path));
    }

    @Test
    void eachRouteHasItsLine() throws IOException {
        try (TestConsole server = TestConsole.start(
                Kind.NETTY,
                "delayjob.server.protocols.delay-queue.enabled=true",
                "delayjob.server.protocols.mykit.enabled=true",
                "delayjob.journal.mode=always",
                "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1")) {
            Set<String> served = server.bean(RequestMappingHandlerMapping.class).getHandlerMethods().entrySet().stream()
                    .filter(route ->
                            route.getValue().getBeanType().getPackageName().startsWith("io.delayjob."))
                    .flatMap(route -> routes(route.getKey()))
                    .collect(Collectors.toCollection(TreeSet::new));

            Set<String> listed = ROUTE.matcher(routesOfPage())
                    .results()
                    .map(route -> route.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(listed).isEqualTo(served);
        }
    }

    @Test
    void eachLimitThatCanBeSetIsNamed() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(LIMIT.matcher(Files.readString(PROPERTIES)).results().map(limit -> limit.group(1)))
                .hasSizeGreaterThan(15)
                .allSatisfy(limit -> assertThat(page).contains("`" + limit + "`"));
    }

    /** A test that is named there, or beside an attack, exists. */
    @Test
    void eachTestIsThere() throws IOException {
        Set<String> named = Pattern.compile("`([A-Z][A-Za-z]+(?:IT|Test))`")
                .matcher(Files.readString(PAGE) + Files.readString(SECURITY))
                .results()
                .map((MatchResult name) -> name.group(1) + ".java")
                .collect(Collectors.toSet());
        try (Stream<Path> files = Files.walk(Path.of("../../.."))) {
            Set<String> tests = files.filter(file -> file.toString().contains("src/test/java"))
                    .map(file -> file.getFileName().toString())
                    .collect(Collectors.toSet());

            assertThat(named).hasSizeGreaterThan(5).isSubsetOf(tests);
        }
    }
}
