-- The jobs of mykit-delay's topics, under the names of its tables, for those who read them. For PostgreSQL; run it once, as the owner of the
-- journal's tables. A job has one row for each time that its id was used.

CREATE OR REPLACE VIEW mykit_delay_queue_job AS
SELECT
    id,
    record -> 'headers' ->> 'bizKey' AS bizkey,
    record ->> 'job' AS topic,
    record -> 'headers' ->> 'subtopic' AS subtopic,
    (record -> 'headers' ->> 'delay')::BIGINT AS delay,
    coalesce((record -> 'headers' ->> 'createTime')::BIGINT, created_at) AS create_time,
    record ->> 'param' AS body,
    CASE
        WHEN state = 'DELAYED' AND due_at > extract(EPOCH FROM now()) * 1000 THEN 1
        WHEN state IN ('DELAYED', 'READY', 'RESERVED') THEN 2
        WHEN state = 'COMPLETED' THEN 3
        WHEN state = 'CANCELLED' THEN 4
        ELSE 6
    END AS status,
    (record -> 'headers' ->> 'ttl')::BIGINT AS ttl,
    to_timestamp(changed_at / 1000.0) AS update_time
FROM (
    SELECT j.*, (CASE WHEN body LIKE '{%' THEN body ELSE '{' || body END)::JSON AS record
    FROM delayjob_job j
    WHERE queue LIKE 'mykit.%'
) jobs;

-- A row for each change of state, as mykit-delay has it: a job that was restored has one of state 5, and one whose time came has one of state 2, at its due
-- time, or when it was handed out a moment before. The host is the node or worker that has the job, or had it last; before that, the server that the job was
-- pushed to.
CREATE OR REPLACE VIEW mykit_delay_queue_job_log AS
WITH grouped AS (
    SELECT f.*, COUNT(node) OVER (PARTITION BY queue, id ORDER BY entry_ms, entry_no, item) AS claims
    FROM delayjob_flow f
    WHERE queue LIKE 'mykit.%' AND (state IS NOT NULL OR kind = 'PURGE')
), steps AS NOT MATERIALIZED (
    SELECT
        queue, id, kind, at, state, due_at,
        LAG(state) OVER job AS state_before,
        LEAD(state) OVER job AS next_state,
        LEAD(at) OVER job AS next_at,
        COALESCE(
            FIRST_VALUE(node) OVER (PARTITION BY queue, id, claims ORDER BY entry_ms, entry_no, item),
            (
                SELECT (CASE WHEN body LIKE '{%' THEN body ELSE '{' || body END)::JSON -> 'headers' ->> 'host'
                FROM delayjob_job j
                WHERE j.queue = g.queue AND j.id = g.id
                ORDER BY seq DESC
                LIMIT 1
            )
        ) AS host
    FROM grouped g
    WINDOW job AS (PARTITION BY queue, id ORDER BY entry_ms, entry_no, item)
)
SELECT
    id,
    CASE
        WHEN kind = 'RESTORE' THEN 5
        WHEN kind = 'PURGE' THEN 4
        WHEN state = 'DELAYED' THEN 1
        WHEN state = 'RESERVED' THEN 2
        WHEN state = 'COMPLETED' THEN 3
        WHEN state = 'CANCELLED' THEN 4
        WHEN state = 'DEAD' THEN 6
    END AS status,
    queue AS thread,
    to_timestamp(at / 1000.0) AS update_time,
    host
FROM steps
WHERE state IS NULL OR state <> 'RESERVED' OR state_before IS NULL OR state_before NOT IN ('DELAYED', 'RESERVED')
UNION ALL
SELECT id, 2, queue, to_timestamp(GREATEST(at, LEAST(due_at, CASE WHEN next_state = 'RESERVED' THEN next_at ELSE due_at END)) / 1000.0), host
FROM steps
WHERE state = 'DELAYED' AND (next_state = 'RESERVED' OR due_at <= COALESCE(next_at, extract(EPOCH FROM now()) * 1000));
