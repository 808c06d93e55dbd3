-- The due time by which a waiting job keeps its place before other jobs of its key; NULL is due_at.
ALTER TABLE delayjob_job ADD place_at BIGINT;
