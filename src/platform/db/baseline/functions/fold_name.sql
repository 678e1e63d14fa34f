-- A name as searches compare it: of `name_key`, which the application has trimmed and case-folded, without accents and
-- with the letters that have a stroke or are two in one written out.
create function fold_name(name_key text) returns text
language sql immutable parallel safe
return translate(
  replace(replace(replace(replace(
    regexp_replace(normalize(name_key, nfkd), '[\u0300-\u036f]', '', 'g'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
  'øłđðħıς', 'olddhiσ');
