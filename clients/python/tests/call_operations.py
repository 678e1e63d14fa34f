"""Makes the calls of standard input with the client, and prints what each was answered as a line of JSON."""

import json
import sys

from pos_integrations import ApiError, Client

given = json.load(sys.stdin)
client = Client(given["base_url"], given["token"], repeats=0)
for call in given["calls"]:
    try:
        answer = getattr(client, call["method"])(*call["args"], **call["named"])
    except ApiError as error:
        answer = error
    print(json.dumps({"status": answer.status, "headers": dict(answer.headers), "body": answer.body}))
