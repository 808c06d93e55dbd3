-- The schedules of recurring jobs, as Redis has them.
CREATE TABLE delayjob_schedule (
    queue      VARCHAR(64)  NOT NULL,
    shard      INT          NOT NULL,
    name       VARCHAR(128) NOT NULL,
    -- Its instants, its policies and the job of each occurrence.
    definition ${text}      NOT NULL,
    -- Its version, next and last instant, whether it is paused, counts and last occurrence: as in Redis.
    state      ${text}      NOT NULL,
    -- When it was removed; NULL while it is there.
    removed_at BIGINT,
    PRIMARY KEY (queue, shard, name)
) ${options};

CREATE INDEX delayjob_schedule_removed ON delayjob_schedule (removed_at);
