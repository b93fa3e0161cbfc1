select * from eventlog.append(
$1::text[], $2::int[], $3::int[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::text[])
