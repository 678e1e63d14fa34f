-- All runs of up to three characters in the words of a folded name. A name has a word somewhere in it only if it has the
-- parts of the word, so that an index of parts finds the few names that are worth a look.
create function name_parts(folded text) returns text[]
language sql immutable parallel safe cost 1000
return (
  select coalesce(array_agg(distinct substr(word, at, length)), '{}')
  from regexp_split_to_table(folded, '\s+') as word
    cross join generate_series(1, 3) as length
    cross join lateral generate_series(1, char_length(word) - length + 1) as at
);
