-- All times are milliseconds since 1970. What differs between databases is a placeholder, set in Dialect.

-- The jobs: one row for each time that an id was used.
CREATE TABLE delayjob_job (
    seq           BIGINT       ${identity},
    queue         VARCHAR(64)  NOT NULL,
    shard         INT          NOT NULL,
    id            VARCHAR(128) NOT NULL,
    -- 1 while the id is this job's, else NULL: a job that was just submitted, until Redis has it, and one that has ended.
    live          SMALLINT,
    body          ${text}      NOT NULL,
    lease_ms      BIGINT,
    dedupe_key    VARCHAR(256),
    dedupe_scope  VARCHAR(16),
    dedupe_mode   VARCHAR(16),
    dedupe_window BIGINT,
    -- DELAYED means waits, whether or not it is due.
    state         VARCHAR(16)  NOT NULL,
    attempt       INT          NOT NULL,
    due_at        BIGINT       NOT NULL,
    -- Whether the job was submitted with a delay: due_at is then by this database's clock until Redis has the job.
    from_now      SMALLINT     NOT NULL,
    -- When the job is brought to Redis, by this database's clock; NULL once Redis is known to have it, or the job has ended.
    relay_at      BIGINT,
    -- Tells this submit from others of the id; NULL if it was not written here first.
    tag           BIGINT,
    -- The term of the shard's fence in Redis under which its own node may bring it there; NULL if only a relay may.
    term          VARCHAR(32),
    node          VARCHAR(128),
    error         ${text},
    result        ${text},
    created_at    BIGINT       NOT NULL,
    changed_at    BIGINT       NOT NULL,
    finished_at   BIGINT,
    PRIMARY KEY (seq)
) ${job_options};

CREATE UNIQUE INDEX delayjob_job_id ON delayjob_job (queue, id, live);
CREATE INDEX delayjob_job_open ON delayjob_job (queue, id, finished_at)${where_open};
CREATE INDEX delayjob_job_relay ON delayjob_job (queue, shard, relay_at)${where_relay};
CREATE INDEX delayjob_job_live ON delayjob_job (queue, shard, live, seq)${where_live};
CREATE INDEX delayjob_job_finished ON delayjob_job (finished_at)${where_finished};

-- What happened to the jobs: one row for each step of a job.
CREATE TABLE delayjob_flow (
    queue    VARCHAR(64)  NOT NULL,
    id       VARCHAR(128) NOT NULL,
    -- The position of the entry in the flow log of Redis, and the place of the step in the entry.
    entry_ms BIGINT       NOT NULL,
    entry_no BIGINT       NOT NULL,
    item     INT          NOT NULL,
    kind     VARCHAR(16)  NOT NULL,
    at       BIGINT       NOT NULL,
    state    VARCHAR(16),
    attempt  INT          NOT NULL,
    due_at   BIGINT,
    node     VARCHAR(128),
    detail   ${text},
    PRIMARY KEY (queue, id, entry_ms, entry_no, item)
) ${options};

CREATE INDEX delayjob_flow_at ON delayjob_flow (at);

-- The shards with a journal. Who has locked a row writes the flow log of the shard, alone in the fleet.
CREATE TABLE delayjob_shard (
    queue      VARCHAR(64) NOT NULL,
    shard      INT         NOT NULL,
    -- The position of the entry that was written last; 0 and 0 if there is none.
    entry_ms   BIGINT      NOT NULL,
    entry_no   BIGINT      NOT NULL,
    changed_at BIGINT      NOT NULL,
    -- Steps up to this position may be in delayjob_flow already, because the log is read once more from its beginning.
    again_ms   BIGINT      NOT NULL,
    again_no   BIGINT      NOT NULL,
    -- 0 until the jobs that Redis has and its log says nothing of have rows.
    adopted    SMALLINT    NOT NULL,
    -- When, by this database's clock, and how steps or jobs of the shard were found to be lost; NULL if none are.
    lost_at    BIGINT,
    loss       VARCHAR(16),
    PRIMARY KEY (queue, shard)
) ${options};

-- Which node journals which queue, so that nodes can tell when they differ.
CREATE TABLE delayjob_node (
    queue   VARCHAR(64)  NOT NULL,
    node    VARCHAR(128) NOT NULL,
    mode    VARCHAR(16)  NOT NULL,
    seen_at BIGINT       NOT NULL,
    PRIMARY KEY (queue, node)
) ${options};


-- What only one node of the fleet may do at a time, and until when it may unless it asks again, by this database's clock.
CREATE TABLE delayjob_lock (
    name     VARCHAR(32)  NOT NULL,
    holder   VARCHAR(128) NOT NULL,
    until_at BIGINT       NOT NULL,
    PRIMARY KEY (name)
) ${options};

INSERT INTO delayjob_lock (name, holder, until_at) VALUES ('restore', '', 0);
