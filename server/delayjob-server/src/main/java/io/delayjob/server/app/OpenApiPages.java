package io.delayjob.server.app;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Serves the OpenAPI document, which was made of the routes by the tests, and a page to try it. Neither needs a token; the routes do. */
@Configuration(proxyBeanMethods = false)
class OpenApiPages {

    private static final Resource DOCUMENT = new ClassPathResource("openapi.json", OpenApiPages.class);
    private static final Resource TRY = new ClassPathResource("try.html", OpenApiPages.class);

    @Bean
    static RouterFunction<ServerResponse> delayJobOpenApiPages() {
        return RouterFunctions.route()
                .GET(
                        "/api/openapi",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.APPLICATION_JSON)
                                .bodyValue(DOCUMENT))
                .GET(
                        "/api/try",
                        request -> ServerResponse.ok()
                                .contentType(MediaType.TEXT_HTML)
                                .bodyValue(TRY))
                .build();
    }
}
