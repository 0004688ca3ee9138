"""The four other reference formats from FastAPI: pip install fastapi uvicorn, then uvicorn main:app --port 8787

Copy it with flows.py, and replace what the flow of your format answers.
"""

import json

from fastapi import FastAPI, HTTPException, Request, Response
from fastapi.responses import StreamingResponse
from flows import FLOWS, decide

MAX_LENGTH = 1_000_000  # in bytes

app = FastAPI()


@app.post("/{name}")
async def chat(name: str, request: Request) -> Response:
    if name not in FLOWS:
        raise HTTPException(404)
    asked = await read(request)
    # The decision for a stream that is still open comes as a separate request without messages.
    if "permissions" in asked and not asked.get("messages"):
        return Response(status_code=204 if decide(asked["permissions"]) else 410)
    return StreamingResponse(
        FLOWS[name](asked),
        media_type="text/event-stream",
        headers={"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"},
    )


async def read(request: Request) -> dict:
    text = b""
    async for piece in request.stream():
        text += piece
        if len(text) > MAX_LENGTH:
            raise HTTPException(413, "That is too long.")
    try:
        asked = json.loads(text)
    except ValueError:
        asked = None
    if not isinstance(asked, dict):
        raise HTTPException(400, "That is no request.")
    return asked
