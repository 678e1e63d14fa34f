-- What became of each target. `waiting`: held until it is its turn. `is_at_work`: it has a permit, as one of those that
-- are done at once. It gives it back while it waits for the next try of an app that stays away, and while people at the
-- app have to approve it (App D, 72 h at most): ten of them would hold up all others for days. Where failures stop the
-- rollout it keeps its permit then, as what these people say decides whether more may begin.
create view rollout_target_state as
select t.*, u.messages,
  case when t.refusal is not null then 'refused'
    -- Its store was purged.
    when u.upload_id is null then 'canceled'
    when u.held and u.state = 'queued' then 'waiting'
    else u.state end as state,
  coalesce((u.state = 'queued' and not u.held) or (u.state = 'running'
    and not coalesce(u.next_attempt_at > now() and u.waits_for is null, false)
    and not (u.task_id is not null and i.app = 'app-d' and o.stop_after_failures = 0)), false) as is_at_work,
  case when t.revert_end is not null then t.revert_end
    when t.revert_upload_id is null then 'waiting'
    when r.state in ('uploaded', 'partly_uploaded') then 'reverted'
    when r.state = 'failed' then 'failed'
    when r.state in ('queued', 'running') then 'waiting'
    else 'not_live' end as revert_state,
  coalesce(r.state = 'queued' or (r.state = 'running'
    and not coalesce(r.next_attempt_at > now() and r.waits_for is null, false)
    and not (r.task_id is not null and i.app = 'app-d')), false) as is_revert_at_work
from rollout_target t
join rollout o using (rollout_id)
left join integration i using (integration_id)
left join menu_upload u on u.upload_id = t.upload_id
left join menu_upload r on r.upload_id = t.revert_upload_id;
