package io.delayjob.demo;

import tools.jackson.databind.JsonNode;

/** An HTTP answer of the demo. */
record Reply(int status, String contentType, JsonNode body) {

    String text(String field) {
        return body.path(field).asString("");
    }

    boolean isProblem(int expectedStatus) {
        return status == expectedStatus
                && contentType.equals("application/problem+json")
                && body.path("status").asInt() == expectedStatus;
    }
}
