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
    FROM_UNIXTIME(at / 1000) AS update_time,
    node AS host
FROM delayjob_flow
WHERE queue LIKE 'mykit.%';
