package io.delayjob.embedded.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

final class BusyPortCheckIT {

    private final SpringApplication application = new SpringApplication();
    private final Map<String, Object> properties = new TreeMap<>();
    private ServerSocket other = unbound();

    private static ServerSocket unbound() {
        try {
            return new ServerSocket();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void takeAPort() throws IOException {
        other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        application.setWebApplicationType(WebApplicationType.SERVLET);
        properties.put("server.port", Integer.toString(other.getLocalPort()));
        properties.put("server.address", "127.0.0.1");
        properties.put("embedded-redis.folder", "x");
    }

    @AfterEach
    void releaseIt() throws IOException {
        other.close();
    }

    @Test
    void refusesAPortThatIsTaken() {
        assertThatExceptionOfType(PortInUseException.class)
                .isThrownBy(this::check)
                .satisfies(refusal -> assertThat(refusal.getPort()).isEqualTo(other.getLocalPort()));
    }

    @Test
    void acceptsAPortThatIsFree() throws IOException {
        other.close();
        assertThatCode(this::check).doesNotThrowAnyException();
        properties.put("server.port", "0");
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void leavesApplicationsAloneThatStartNoRedisOfTheirOwn() {
        properties.put("spring.data.redis.port", "6379");
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void leavesApplicationsAloneThatServeNobody() {
        properties.put("spring.main.web-application-type", "none");
        assertThatCode(this::check).doesNotThrowAnyException();
        properties.remove("spring.main.web-application-type");
        application.setWebApplicationType(WebApplicationType.NONE);
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void leavesTestsAloneWhichRarelyOpenAPort() {
        properties.put("org.springframework.boot.test.context.SpringBootTestContextBootstrapper", "true");
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    private void check() {
        StandardEnvironment environment = new StandardEnvironment();
        environment.setConversionService(new ApplicationConversionService());
        environment.getPropertySources().addFirst(new MapPropertySource("properties", properties));
        new BusyPortCheck().postProcessEnvironment(environment, application);
    }
}
