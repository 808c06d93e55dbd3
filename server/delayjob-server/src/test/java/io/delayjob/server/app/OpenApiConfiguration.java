package io.delayjob.server.app;

import io.delayjob.server.Access;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.MapSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springdoc.core.customizers.OpenApiCustomizer;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestMapping;

/** Completes the OpenAPI document that springdoc makes of the routes: title, token, errors, and names and groups of operations. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {

    private static final String BEARER = "token";
    private static final String PROBLEM = "ProblemDetail";
    private static final String SUBMIT = "submitJob";
    private static final String FOLLOW = "followEvents";
    private static final String EVENT_STREAM = "text/event-stream";

    /** Groups of routes whose name is not that of their controller. */
    private static final Map<String, String> GROUPS = Map.of("Actions", "Jobs", "Settlements", "Claims");

    static {
        SpringDocUtils.getConfig()
                .addRequestWrapperToIgnore(Access.class)
                .addAnnotationsToIgnore(RequestAttribute.class)
                .replaceWithSchema(Duration.class, new StringSchema().format("duration"));
    }

    @Bean
    static OpenAPI delayJobOpenApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("delayjob")
                        .version("v1")
                        .description("Reliable delayed jobs: submit, claim, settle, look and act."))
                .components(new Components()
                        .addSecuritySchemes(
                                BEARER,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")))
                .addSecurityItem(new SecurityRequirement().addList(BEARER));
    }

    private static Schema<?> problem() {
        Schema<?> problem = new MapSchema().description("what is wrong (RFC 9457); some types have more fields");
        problem.addProperty("type", new StringSchema().format("uri"));
        problem.addProperty("title", new StringSchema());
        problem.addProperty("status", new IntegerSchema());
        problem.addProperty("detail", new StringSchema());
        problem.setRequired(List.of("type", "title", "status", "detail"));
        return problem;
    }

    @Bean
    static RecordSchemas delayJobRecordSchemas() {
        return new RecordSchemas();
    }

    /** The name of a route is the name of its operation, by which generated clients call it. */
    @Bean
    static OperationCustomizer delayJobOperations() {
        return (operation, handler) -> {
            RequestMapping route =
                    AnnotatedElementUtils.findMergedAnnotation(handler.getMethod(), RequestMapping.class);
            if (route != null) {
                operation.setOperationId(route.name());
            }
            String controller = handler.getBeanType().getSimpleName().replace("Controller", "");
            operation.setTags(List.of(GROUPS.getOrDefault(controller, controller)));
            return operation;
        };
    }

    @Bean
    static OpenApiCustomizer delayJobOpenApiRoutes() {
        return document -> {
            // Their places in the page depend on no address that the server happened to have.
            document.setServers(null);
            document.getComponents().addSchemas(PROBLEM, problem());
            document.getComponents().getSchemas().values().forEach(OpenApiConfiguration::completeFields);
            document.getPaths().values().stream()
                    .flatMap(path -> path.readOperations().stream())
                    .forEach(OpenApiConfiguration::complete);
        };
    }

    private static void completeFields(Schema<?> schema) {
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(OpenApiConfiguration::completeField);
        }
    }

    /** Any JSON has no type, which springdoc gives it; and Java that is generated of sets of enums does not compile. */
    private static void completeField(Schema<?> field) {
        field.setUniqueItems(null);
        if (RecordSchemas.ANY_JSON.equals(field.getDescription())) {
            field.setType(null);
            field.setTypes(null);
        }
    }

    private static void complete(Operation operation) {
        if (FOLLOW.equals(operation.getOperationId())) {
            addEvents(operation.getResponses());
        }
        if (SUBMIT.equals(operation.getOperationId())) {
            addStored(operation.getResponses());
        }
        addProblem(operation);
    }

    private static void addStored(ApiResponses responses) {
        ApiResponse answer = Objects.requireNonNull(responses.get("200"));
        responses.addApiResponse(
                "201", new ApiResponse().description("it is stored").content(answer.getContent()));
        answer.description("it was there");
    }

    private static void addEvents(ApiResponses responses) {
        Schema<?> events = new StringSchema()
                .description("server-sent events, without end: the event says the kind, the data is a JSON object with"
                        + " queue, id, topic, attempt, node, at, and what belongs to the kind");
        Objects.requireNonNull(responses.get("200"))
                .content(new Content().addMediaType(EVENT_STREAM, new MediaType().schema(events)));
    }

    private static void addProblem(Operation operation) {
        Schema<?> problem = new Schema<Object>().$ref("#/components/schemas/" + PROBLEM);
        operation
                .getResponses()
                .addApiResponse(
                        "default",
                        new ApiResponse()
                                .description("what is wrong, and what to do")
                                .content(new Content()
                                        .addMediaType("application/problem+json", new MediaType().schema(problem))));
    }
}
