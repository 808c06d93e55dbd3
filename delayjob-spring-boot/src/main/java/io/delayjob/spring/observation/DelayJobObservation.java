package io.delayjob.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** What is observed, with the keys that the default conventions give it: those of OpenTelemetry for messaging, and some of ours. */
public enum DelayJobObservation implements ObservationDocumentation {

    /** A submit, from the call until Redis has answered. */
    SUBMIT {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultJobSubmitConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return KeyName.merge(CommonKey.values());
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return SubmitDetail.values();
        }
    },

    /** An attempt, with the interceptors of the application. */
    EXECUTION {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultJobExecutionConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return KeyName.merge(CommonKey.values(), ExecutionKey.values());
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return ExecutionDetail.values();
        }
    };

    /** Low cardinality, of all observations. */
    public enum CommonKey implements KeyName {

        /** {@code delayjob}. */
        SYSTEM("messaging.system"),

        /** {@code send} or {@code process}. */
        OPERATION_TYPE("messaging.operation.type"),

        /** {@code submit} or {@code execute}. */
        OPERATION_NAME("messaging.operation.name"),

        /** The queue; {@code (other)} if this application does not name it in its settings or listeners. */
        QUEUE("messaging.destination.name");

        private final String key;

        CommonKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** Low cardinality, of attempts. */
    public enum ExecutionKey implements KeyName {

        /** What runs: bean class, {@link io.delayjob.DelayJobName} or topic. */
        JOB;

        @Override
        public String asString() {
            return "delayjob.job";
        }
    }

    /** High cardinality, of submits. */
    public enum SubmitDetail implements KeyName {

        /** The job's id, once it is known; not of a submit of many. */
        ID("messaging.message.id"),

        /** How many jobs a submit of many has. */
        COUNT("messaging.batch.message_count"),

        /** What is to run: bean class or topic; not of a submit of many. */
        JOB("delayjob.job"),

        /** What the submit led to, such as {@code stored}; not of a submit of many. */
        OUTCOME("delayjob.outcome");

        private final String key;

        SubmitDetail(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }

    /** High cardinality, of attempts. */
    public enum ExecutionDetail implements KeyName {

        /** The job's id. */
        ID("messaging.message.id"),

        /** Which try it is, from 1. */
        ATTEMPT("delayjob.attempt");

        private final String key;

        ExecutionDetail(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
