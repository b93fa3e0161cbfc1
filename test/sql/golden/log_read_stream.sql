select position, stream, revision, id, type, data, metadata from eventlog.events where stream = $1 and revision >= $2 order by revision limit $3
