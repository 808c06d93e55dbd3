  -- Sets pointed: for each of the ids, whether its job is in another shard, or may be about to be stored there. A shard without keys has no pointers.
  pointed = nil
