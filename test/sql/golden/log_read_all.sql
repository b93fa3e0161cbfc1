select position, stream, revision, id, type, data, metadata from eventlog.events where position > $1 order by position limit $2
