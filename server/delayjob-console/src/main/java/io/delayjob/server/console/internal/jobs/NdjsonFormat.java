package io.delayjob.server.console.internal.jobs;

import io.delayjob.JobSnapshot;
import io.delayjob.server.web.ServerJson;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A JSON object on each line; that of the last one has the member {@code end}. */
record NdjsonFormat(Redaction redaction) implements ExportFormat {

    @Override
    public String head() {
        return "";
    }

    @Override
    public String line(JobSnapshot job, String source) {
        ObjectNode node = ServerJson.stored().createObjectNode();
        FIELDS.forEach(field -> put(node, field.name(), field.value().apply(job)));
        node.setAll((ObjectNode) ServerJson.stored().valueToTree(job.options()));
        if (!job.headers().isEmpty()) {
            ObjectNode headers = node.putObject("headers");
            redaction.shown(job.headers()).forEach(headers::put);
        }
        redaction.tree(job.param()).ifPresent(value -> node.set("param", value));
        redaction.tree(job.result()).ifPresent(value -> node.set("result", value));
        node.put("source", source);
        return ServerJson.stored().writeValueAsString(node) + "\n";
    }

    private static void put(ObjectNode node, String name, @Nullable Object value) {
        if (value != null) {
            node.putPOJO(name, value);
        }
    }

    @Override
    public String end(long jobs, long examined, @Nullable String cutOff) {
        ObjectNode node = ServerJson.stored().createObjectNode();
        ObjectNode end = node.putObject("end");
        end.put("jobs", jobs).put("examined", examined).put("complete", cutOff == null);
        put(end, "why", cutOff);
        return ServerJson.stored().writeValueAsString(node) + "\n";
    }
}
