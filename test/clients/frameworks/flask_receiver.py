import os

from flask import Flask, request

from receiving import apply, is_signed

app = Flask(__name__)


@app.post("/hooks")
def hooks():
    if not is_signed(request.headers, request.get_data()):
        return {"message": "Bad signature."}, 401
    apply(request.headers["webhook-id"])
    return {"detail": "ok"}, 204


app.run("127.0.0.1", int(os.environ["PORT"]))
