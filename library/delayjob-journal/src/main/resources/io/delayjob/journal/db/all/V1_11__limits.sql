-- The limits that were set while a queue runs, as its shards in Redis have them.
CREATE TABLE delayjob_limit (
    queue   VARCHAR(64)  NOT NULL,
    shard   INT          NOT NULL,
    -- Empty for the limits of the queue.
    job_key VARCHAR(128) NOT NULL,
    -- The limits, and whether the key is paused.
    terms   ${text}      NOT NULL,
    PRIMARY KEY (queue, shard, job_key)
) ${options};
