#!/bin/sh
# From the release that runs to the one of this checkout, while callers notice nothing: new workers and APIs are started
# beside the old ones, which are stopped once the new ones answer. From the folder of docker-compose.yml, as a user of
# the engine:
#   sh ops/compose/upgrade.sh
# If a new one does not answer within 2 minutes, the old ones stay and the new ones are removed.
# Without --no-deps: for Compose, what was started with it is another service than what `up` starts, and is replaced.
set -eu

# Waits until a one-shot service has ended; fails unless it ended well.
ended() {
  container=$(docker compose ps --all --quiet "$1")
  until [ "$(docker inspect --format '{{.State.Status}}' "$container")" = exited ]; do sleep 0.5; done
  [ "$(docker inspect --format '{{.State.ExitCode}}' "$container")" = 0 ] && return
  docker logs --tail 20 "$container" >&2
  return 1
}

# Asked within the container, since it may be reached by nobody else; ends well once this URL answers 200.
answers() {
  docker exec "$1" timeout 120 node -e "
    const ask = () => fetch('$2').then((answer) => answer.ok || Promise.reject(answer.status))
      .then(() => process.exit(0), () => setTimeout(ask, 250));
    ask();"
}

replace() {
  service=$1 url=$2
  old=$(docker compose ps --quiet "$service")
  count=$(echo "$old" | grep -c .) || { echo "No $service is running. For a first start: docker compose up -d" >&2; exit 1; }
  echo "$service: starting $count beside $count"
  docker compose up -d --no-recreate --scale "$service=$((2 * count))" "$service"
  new=$(docker compose ps --quiet "$service" | grep -vxF "$old")
  for container in $new; do
    answers "$container" "$url" && continue
    echo "$service: the new one does not answer; its last lines:" >&2
    docker logs --tail 20 "$container" >&2
    docker rm --force $new >/dev/null
    exit 1
  done
  # One at a time, each for as long as its stop_grace_period allows.
  for container in $old; do
    docker stop "$container" >/dev/null
    docker rm "$container" >/dev/null
  done
  echo "$service: $count replaced"
}

if docker port "$(docker compose ps --quiet api | head -n 1)" 3000 >/dev/null 2>&1; then
  echo 'The API that runs has a port of this host itself, and no second one can have it: docs/upgrading.md, "From commit ea0ae7b3".' >&2
  exit 1
fi
docker compose build --quiet
# Both know when there is nothing to do.
docker compose up -d migrate setup
ended migrate
ended setup
replace worker http://127.0.0.1:9464/health/live
replace api http://127.0.0.1:3000/health/ready
# What else has changed.
docker compose up -d
