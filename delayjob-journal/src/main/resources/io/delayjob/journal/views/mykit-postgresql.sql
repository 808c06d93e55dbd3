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

CREATE OR REPLACE VIEW mykit_delay_queue_job_log AS
SELECT
    id,
    CASE state
        WHEN 'DELAYED' THEN 1
        WHEN 'READY' THEN 2
        WHEN 'RESERVED' THEN 2
        WHEN 'COMPLETED' THEN 3
        WHEN 'CANCELLED' THEN 4
        WHEN 'DEAD' THEN 6
    END AS status,
    queue AS thread,
    to_timestamp(at / 1000.0) AS update_time,
    node AS host
FROM delayjob_flow
WHERE queue LIKE 'mykit.%';
