-- How many losses of each severity an upload has: lists show these, so that no list reads the losses themselves.
alter table menu_upload add column loss_counts json not null default '{"block":0,"warn":0,"info":0}';

update menu_upload u set loss_counts = counted.counts
from (
  select upload_id, json_build_object(
      'block', count(*) filter (where loss ->> 'severity' = 'block'),
      'warn', count(*) filter (where loss ->> 'severity' = 'warn'),
      'info', count(*) filter (where loss ->> 'severity' = 'info')) as counts
  from menu_upload, json_array_elements(losses) as loss
  group by upload_id
) counted
where u.upload_id = counted.upload_id;

-- Lists kept before there was a bound (one was 20 MB) are cut to it: the most severe 1,000, and how many more there were.
update menu_upload u set losses = cut.losses::json
from (
  select upload_id, (
      select json_agg(kept.loss order by kept.severity, kept.at)
      from (
        select loss, at, array_position(array['block', 'warn', 'info'], loss ->> 'severity') as severity
        from json_array_elements(m.losses) with ordinality as each (loss, at)
        order by severity, at
        limit 1000
      ) kept
    )::jsonb || jsonb_build_array(jsonb_build_object(
      'code', 'losses_omitted', 'severity', 'info', 'pointer', '', 'external_id', null,
      'message', json_array_length(m.losses) - 1000 || ' more losses were left out.')) as losses
  from menu_upload m
  where json_array_length(m.losses) > 1000
) cut
where u.upload_id = cut.upload_id;
