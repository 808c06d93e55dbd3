package io.delayjob.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The published OpenAPI document, as generators of clients read it. {@link OpenApiIT} compares it with the server. */
class OpenApiDocumentTest {

    private final String text = read();
    private final JsonNode document = JsonMapper.shared().readTree(text);

    private static String read() {
        try {
            return Files.readString(Path.of("../../docs/openapi.json"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private Stream<JsonNode> operations() {
        return document.path("paths").values().stream().flatMap(path -> path.values().stream());
    }

    @Test
    void isValid() {
        ParseOptions options = new ParseOptions();
        options.setResolve(true);
        SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(text, null, options);
        assertThat(parsed.getMessages()).isEmpty();
        assertThat(parsed.getOpenAPI().getPaths()).isNotEmpty();
    }

    @Test
    void definesEverythingThatItRefersTo() {
        List<String> references = document.findValuesAsString("$ref");
        assertThat(references)
                .contains("#/components/schemas/ProblemDetail")
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isMissingNode())
                        .as(reference)
                        .isFalse());
    }

    @Test
    void namesOperationsAndGroupsAsAPersonWould() {
        assertThat(operations().map(operation -> operation.path("operationId").asString()))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z]+([A-Z][a-z]+)+"));
        assertThat(operations()
                        .flatMap(operation ->
                                operation.path("tags").values().stream().map(JsonNode::asString)))
                .contains("Jobs", "Claims", "Queues")
                .allMatch(tag -> tag.matches("[A-Z][a-z]+"));
    }

    @Test
    void allowsAnyJsonAsParamAndResultAndSaysWhichFieldsAnAnswerAlwaysHas() {
        for (String field : List.of(
                "JobBody/properties/param",
                "JobView/properties/param",
                "JobView/properties/result",
                "ClaimedJobView/properties/param",
                "Settlement/properties/result")) {
            assertThat(document.at("/components/schemas/" + field).propertyNames())
                    .as(field)
                    .containsExactly("description");
        }
        assertThat(document.at("/components/schemas/ClaimedJobView/required"))
                .extracting(JsonNode::asString)
                .contains("id", "handle", "leaseEndsAt", "param");
        assertThat(document.at("/components/schemas/JobView/required"))
                .extracting(JsonNode::asString)
                .contains("id", "state", "headers")
                .doesNotContain("node", "lastError", "result");
    }

    @Test
    void tellsBothAnswersToASubmit() {
        assertThat(document.at("/paths/~1api~1v1~1queues~1{queue}~1jobs/post/responses")
                        .propertyNames())
                .contains("200", "201");
    }
}
