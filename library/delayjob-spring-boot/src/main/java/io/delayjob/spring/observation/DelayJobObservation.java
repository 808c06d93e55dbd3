package io.delayjob.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/** The observations of delayjob, with the keys that the default conventions give them. */
public enum DelayJobObservation implements ObservationDocumentation {

    /** A submit, from the call until Redis has answered. */
    SUBMIT {
        @Override
        public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
            return DefaultJobSubmitConvention.class;
        }

        @Override
        public KeyName[] getLowCardinalityKeyNames() {
            return new KeyName[] {
                ObservationKey.SYSTEM,
                ObservationKey.OPERATION_TYPE,
                ObservationKey.OPERATION_NAME,
                ObservationKey.QUEUE
            };
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {ObservationKey.ID, ObservationKey.COUNT, ObservationKey.JOB, ObservationKey.OUTCOME};
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
            return new KeyName[] {
                ObservationKey.SYSTEM,
                ObservationKey.OPERATION_TYPE,
                ObservationKey.OPERATION_NAME,
                ObservationKey.QUEUE,
                ObservationKey.JOB
            };
        }

        @Override
        public KeyName[] getHighCardinalityKeyNames() {
            return new KeyName[] {ObservationKey.ID, ObservationKey.ATTEMPT};
        }
    };

    /** The keys: those of OpenTelemetry for messaging, and some of delayjob's own. */
    public enum ObservationKey implements KeyName {

        /** {@code delayjob}. */
        SYSTEM("messaging.system"),

        /** {@code send} or {@code process}. */
        OPERATION_TYPE("messaging.operation.type"),

        /** {@code submit} or {@code execute}. */
        OPERATION_NAME("messaging.operation.name"),

        /** The queue; {@code (other)} if this application does not name it in its settings or listeners. */
        QUEUE("messaging.destination.name"),

        /** The job's id, once it is known; missing for a submit of many jobs. */
        ID("messaging.message.id"),

        /** The number of jobs in a submit of many. */
        COUNT("messaging.batch.message_count"),

        /**
         * The name of the job's handler. For an attempt: bean class, {@link io.delayjob.DelayJobName} or topic. For a submit: bean class or
         * topic; missing for a submit of many jobs.
         */
        JOB("delayjob.job"),

        /** The result of the submit, such as {@code stored}; missing for a submit of many jobs. */
        OUTCOME("delayjob.outcome"),

        /** The number of the attempt, from 1. */
        ATTEMPT("delayjob.attempt");

        private final String key;

        ObservationKey(String key) {
            this.key = key;
        }

        @Override
        public String asString() {
            return key;
        }
    }
}
