"""The proxy for FastAPI: pip install fastapi uvicorn httpx, then OPENAI_API_KEY=… uvicorn main:app --port 8787"""

import json
import os

import httpx
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse

UPSTREAM = os.environ.get("UPSTREAM", "https://api.openai.com/v1/chat/completions")
KEY = os.environ["OPENAI_API_KEY"]
MODEL = os.environ.get("MODEL", "gpt-5-mini")
MAX_LENGTH = 1_000_000  # in bytes

app = FastAPI()
client = httpx.AsyncClient(timeout=httpx.Timeout(30, read=300))


def signed_in(request: Request) -> bool:
    """Replace it with your session check: without it, anyone who can reach this port can send requests."""
    return True


@app.post("/")
async def chat(request: Request) -> StreamingResponse:
    if not signed_in(request):
        raise HTTPException(401, "Please sign in.")
    asked = await read(request)
    # The allowed fields are decided here, not in the page.
    body = {"model": MODEL, "stream": True, "messages": asked["messages"]}
    if asked.get("tools"):
        body["tools"] = asked["tools"]
    try:
        answer = await client.send(
            client.build_request("POST", UPSTREAM, json=body, headers={"authorization": f"Bearer {KEY}"}),
            stream=True,
        )
    except httpx.HTTPError:
        raise HTTPException(502, "The provider does not answer.")

    async def chunks():
        try:
            async for chunk in answer.aiter_raw():
                yield chunk
        finally:
            # Also after the user has stopped the reply.
            await answer.aclose()

    forwarded = {name: answer.headers[name] for name in ("content-type", "content-encoding") if name in answer.headers}
    return StreamingResponse(
        chunks(),
        status_code=answer.status_code,
        headers={**forwarded, "cache-control": "no-cache, no-transform", "x-accel-buffering": "no"},
    )


async def read(request: Request) -> dict:
    text = b""
    async for chunk in request.stream():
        text += chunk
        if len(text) > MAX_LENGTH:
            raise HTTPException(413, "That is too long.")
    try:
        asked = json.loads(text)
    except ValueError:
        asked = None
    if not isinstance(asked, dict) or not isinstance(asked.get("messages"), list):
        raise HTTPException(400, "There are no messages.")
    return asked
