package io.delayjob.journal.internal.writing;

/**
 * Outages that keep a node from writing.
 *
 * @param redis the ledgers cannot be read
 * @param database the database cannot be written
 * @param beyond the work after the writing fails
 */
record WriterOutages(Outage redis, Outage database, Outage beyond) {

    WriterOutages() {
        this(
                new Outage("the journal's writer cannot read the flow log of Redis"),
                new Outage("the journal's writer cannot write to its database"),
                new Outage("jobs that only the journal has cannot be brought to Redis"));
    }

    /** Redis and the database have answered for a shard, or for all: its outages are over. */
    void written(Object which) {
        redis.over(which);
        database.over(which);
    }

    /** All is well with this one. */
    void over(Object which) {
        written(which);
        beyond.over(which);
    }
}
