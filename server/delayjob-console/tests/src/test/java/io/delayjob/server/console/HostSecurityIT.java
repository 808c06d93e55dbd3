package io.delayjob.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayjob.server.console.TestConsole.Browser;
import io.delayjob.testing.RealRedis;
import io.delayjob.testing.Variants;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.NegatedServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;

/** The console in an application whose users sign in by a form of Spring Security, with sessions: they need not sign in again. */
@Tag(Variants.TAG)
@RealRedis
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ParameterizedClass
@MethodSource("io.delayjob.server.console.TestConsole#kinds")
@SuppressWarnings("NullAway.Init")
class HostSecurityIT {

    @Parameter
    private TestConsole.Kind kind;

    private TestConsole server;

    @BeforeParameterizedClassInvocation
    void start() {
        server = TestConsole.startSecured(FormLogin.class, kind);
    }

    @AfterParameterizedClassInvocation
    void stop() {
        server.close();
    }

    /** The security setup that docs/console.md describes for an application with a form login. */
    @TestConfiguration(proxyBeanMethods = false)
    static class FormLogin {

        private static UserDetails user(String name, String... authorities) {
            return User.withUsername(name)
                    .password("{noop}secret")
                    .authorities(authorities)
                    .build();
        }

        private static final UserDetails[] USERS = {
            user("looks", "SCOPE_delayjob.read"),
            user("operates", "SCOPE_delayjob.read", "SCOPE_delayjob.operate"),
            user("stranger", "ROLE_customer")
        };

        @TestConfiguration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        static class Reactive {

            @Bean
            SecurityWebFilterChain chain(ServerHttpSecurity http) {
                return http.csrf(csrf -> csrf.requireCsrfProtectionMatcher(new NegatedServerWebExchangeMatcher(
                                ServerWebExchangeMatchers.pathMatchers("/console/**", "/login"))))
                        .authorizeExchange(all -> all.anyExchange().authenticated())
                        .formLogin(Customizer.withDefaults())
                        .build();
            }

            @Bean
            MapReactiveUserDetailsService users() {
                return new MapReactiveUserDetailsService(USERS);
            }
        }

        @TestConfiguration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        static class Servlet {

            @Bean
            SecurityFilterChain chain(HttpSecurity http) {
                return http.csrf(csrf -> csrf.ignoringRequestMatchers("/console/**", "/login"))
                        .authorizeHttpRequests(all -> all.anyRequest().authenticated())
                        .formLogin(Customizer.withDefaults())
                        .build();
            }

            @Bean
            InMemoryUserDetailsManager users() {
                return new InMemoryUserDetailsManager(USERS);
            }
        }
    }

    /** An application that lets everyone pass. */
    @TestConfiguration(proxyBeanMethods = false)
    static class Open {

        @TestConfiguration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
        static class Reactive {

            @Bean
            SecurityWebFilterChain chain(ServerHttpSecurity http) {
                return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                        .authorizeExchange(all -> all.anyExchange().permitAll())
                        .build();
            }
        }

        @TestConfiguration(proxyBeanMethods = false)
        @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
        static class Servlet {

            @Bean
            SecurityFilterChain chain(HttpSecurity http) {
                return http.csrf(AbstractHttpConfigurer::disable)
                        .authorizeHttpRequests(all -> all.anyRequest().permitAll())
                        .build();
            }
        }
    }

    @Test
    void whomAnOpenChainDoesNotKnowSignsInWithATokenOfTheServer() {
        try (TestConsole open = TestConsole.startSecured(Open.class, kind, "delayjob.server.authentication=both")) {
            assertThat(new Browser(open.url(), "/console", "")
                            .get("")
                            .headers()
                            .firstValue("Location")
                            .orElse(""))
                    .startsWith("/console/login");
            Browser admin = open.signedIn(TestConsole.ADMIN);

            assertThat(admin.get("").body()).contains("token &#39;admin&#39;", "Sign out");
            assertThat(admin.post("/queues/open/pause").statusCode()).isEqualTo(303);
        }
    }

    private Browser of(String user) {
        HttpResponse<String> answer =
                new Browser(server.url(), "", "").post("/login", "username", user, "password", "secret");
        assertThat(answer.headers().firstValue("Location").orElse("")).doesNotContain("error");
        return new Browser(server.url(), "/console", TestConsole.cookie(answer));
    }

    @Test
    void leadsToTheSignInOfTheApplication() {
        HttpResponse<String> refused = TestConsole.send(
                new Browser(server.url(), "/console", "").form("").GET().header("Accept", "text/html"));

        assertThat(refused.statusCode()).isEqualTo(302);
        assertThat(refused.headers().firstValue("Location").orElse(""))
                .endsWith("/login")
                .doesNotContain("/console");
    }

    @Test
    void whoTheApplicationKnowsSeesWhatItsAuthoritiesSay() throws Exception {
        Browser looks = of("looks");

        assertThat(looks.get("").body())
                .contains("Needs attention", "caller &#39;looks&#39;")
                .doesNotContain("Sign out");
        assertThat(looks.get("/queues/host").body()).doesNotContain("/pause\"");
        assertThat(looks.post("/queues/host/pause").statusCode()).isEqualTo(403);
        assertThat(looks.get("/tokens").statusCode()).isEqualTo(404);
        try (Watcher watcher = Watcher.of(looks)) {
            await().until(() -> watcher.messages() >= 2);
        }
        HttpResponse<String> refused = of("stranger").get("");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body())
                .contains(
                        "caller &#39;stranger&#39; needs the role read, which the authority SCOPE_delayjob.read gives")
                .doesNotContain("token");
    }

    @Test
    void whatItsUsersDoIsWrittenDownUnderTheirNames() {
        Browser operates = of("operates");

        assertThat(operates.post("/queues/host/pause").statusCode()).isEqualTo(303);
        assertThat(operates.get("/queues/host").body()).contains("/resume\"");
        assertThat(operates.post("/queues/host/resume").statusCode()).isEqualTo(303);

        assertThat(operates.get("/audit").body()).contains("pause", "caller &#39;operates&#39;");
    }

    /** Its session is in a cookie that browsers may send with requests of other sites, too. */
    @Test
    void refusesWhatAnotherSiteHadTheBrowserOfAUserSend() {
        Browser operates = of("operates");

        assertThat(TestConsole.send(operates.form("/queues/host/pause").header("Sec-Fetch-Site", "cross-site"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(TestConsole.send(operates.form("/queues/host/pause")).statusCode())
                .isEqualTo(403);
        assertThat(operates.get("/queues/host").body()).contains("/pause\"");
    }
}
