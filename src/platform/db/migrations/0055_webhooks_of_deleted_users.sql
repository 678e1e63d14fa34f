-- The webhook for events of a deleted user is deleted with the account, so that retention removes it with its secrets.
update subscription s set deleted_at = now()
from app_user u
where u.user_id = s.user_id and u.state = 'deleted' and s.deleted_at is null;
