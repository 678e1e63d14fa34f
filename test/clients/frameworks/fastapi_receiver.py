from fastapi import FastAPI, HTTPException, Request

from receiving import apply, is_signed

app = FastAPI()


@app.post("/hooks", status_code=204)
async def hooks(request: Request):
    if not is_signed(request.headers, await request.body()):
        raise HTTPException(401, "Bad signature.")
    apply(request.headers["webhook-id"])
