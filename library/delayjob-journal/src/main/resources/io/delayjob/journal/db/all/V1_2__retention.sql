INSERT INTO delayjob_lock (name, holder, until_at) VALUES ('retention', '', 0);
