-- The index of the jobs: the marks of each row, for queues that ask for one.
CREATE TABLE delayjob_mark (
    seq   BIGINT      NOT NULL,
    queue VARCHAR(64) NOT NULL,
    mark  VARCHAR(11) NOT NULL,
    PRIMARY KEY (seq, mark),
    FOREIGN KEY (seq) REFERENCES delayjob_job (seq) ON DELETE CASCADE
) ${options};

CREATE INDEX delayjob_mark_jobs ON delayjob_mark (queue, mark, seq DESC);
