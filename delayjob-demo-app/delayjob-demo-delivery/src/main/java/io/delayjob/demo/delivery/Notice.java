package io.delayjob.demo.delivery;

/** The param of the jobs: what the receivers get as JSON. */
record Notice(String text) {}
