-- Stores are found by parts of their names, with or without accents.

-- A name as searches compare it: of `name_key`, which the application has trimmed and case-folded, without accents and
-- with the letters that have a stroke or are two in one written out.
create function fold_name(name_key text) returns text
language sql immutable parallel safe
return translate(
  replace(replace(replace(replace(
    regexp_replace(normalize(name_key, nfkd), '[\u0300-\u036f]', '', 'g'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
  'øłđðħıς', 'olddhiσ');

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

alter table store add name_folded text not null generated always as (fold_name(name_key)) stored;
create index store_name_parts on store using gin (name_parts(name_folded));
