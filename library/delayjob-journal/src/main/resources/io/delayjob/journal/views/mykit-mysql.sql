-- The jobs of mykit-delay's topics, under the names of its tables, for those who read them. For MySQL and MariaDB; run it once, as the owner of
-- the journal's tables. A job has one row for each time that its id was used.

CREATE OR REPLACE VIEW mykit_delay_queue_job AS
SELECT
    id,
    JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.headers.bizKey')) AS bizkey,
    JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.job')) AS topic,
    JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.headers.subtopic')) AS subtopic,
    CAST(JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.headers.delay')) AS SIGNED) AS delay,
    COALESCE(
        CAST(JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.headers.createTime')) AS SIGNED),
        created_at) AS create_time,
    JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.param')) AS body,
    CASE
        WHEN state = 'DELAYED' AND due_at > TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000 THEN 1
        WHEN state IN ('DELAYED', 'READY', 'RESERVED') THEN 2
        WHEN state = 'COMPLETED' THEN 3
        WHEN state = 'CANCELLED' THEN 4
        ELSE 6
    END AS status,
    CAST(JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.headers.ttl')) AS SIGNED) AS ttl,
    FROM_UNIXTIME(changed_at / 1000) AS update_time
FROM delayjob_job
WHERE queue LIKE 'mykit.%';

-- A row for each change of state, as mykit-delay has it: a job that was restored has one of state 5, and one whose time came has one of state 2, at its due
-- time, or when it was handed out a moment before. The host is the node or worker that has the job, or had it last; before that, the server that the job was
-- pushed to.
CREATE OR REPLACE VIEW mykit_delay_queue_job_log AS
WITH grouped AS (
    SELECT f.*, COUNT(node) OVER (PARTITION BY queue, id ORDER BY entry_ms, entry_no, item) AS claims
    FROM delayjob_flow f
    WHERE queue LIKE 'mykit.%' AND (state IS NOT NULL OR kind = 'PURGE')
), steps AS (
    SELECT
        queue, id, kind, at, state, due_at,
        LAG(state) OVER job AS state_before,
        LEAD(state) OVER job AS next_state,
        LEAD(at) OVER job AS next_at,
        COALESCE(
            FIRST_VALUE(node) OVER (PARTITION BY queue, id, claims ORDER BY entry_ms, entry_no, item),
            (
                SELECT JSON_UNQUOTE(JSON_EXTRACT(IF(body LIKE '{%', body, CONCAT('{', body)), '$.headers.host'))
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
    FROM_UNIXTIME(at / 1000) AS update_time,
    host
FROM steps
WHERE state IS NULL OR state <> 'RESERVED' OR state_before IS NULL OR state_before NOT IN ('DELAYED', 'RESERVED')
UNION ALL
SELECT id, 2, queue, FROM_UNIXTIME(GREATEST(at, LEAST(due_at, CASE WHEN next_state = 'RESERVED' THEN next_at ELSE due_at END)) / 1000), host
FROM steps
WHERE state = 'DELAYED' AND (next_state = 'RESERVED' OR due_at <= COALESCE(next_at, TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '1970-01-01 00:00:00', UTC_TIMESTAMP(3)) DIV 1000));
