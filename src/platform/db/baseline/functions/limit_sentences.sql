-- The messages of an answer: each once, at most 50, and a 51st that counts the others.
create function limit_sentences(messages json) returns json
language sql immutable as $$
  with said as (
    select sentence, row_number() over (order by min(place)) as place
    from json_array_elements_text(messages) with ordinality as m (sentence, place) group by sentence
  ), left_out as (
    select count(*) as more from said where place > 50
  ), shown as (
    select sentence, place from said where place <= 50
    union all
    select case more when 1 then 'There is 1 more error.' else 'There are ' || more || ' more errors.' end, 51
    from left_out where more > 0
  )
  select coalesce(json_agg(sentence order by place), '[]') from shown
$$;
