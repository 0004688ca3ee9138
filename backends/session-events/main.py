"""Session events from FastAPI: pip install fastapi uvicorn, then uvicorn main:app --port 8787

Copy it with streaming_engine.py, and replace run_agent.
"""

import json
import logging
from collections.abc import AsyncIterator
from uuid import uuid4

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import StreamingResponse
from streaming_engine import StreamingEngine

MAX_LENGTH = 1_000_000  # in bytes

app = FastAPI()


async def run_agent(engine: StreamingEngine, question: str) -> AsyncIterator[str]:
    """Your agent. This one looks up stock, and fails on request."""
    yield await engine.emit_thinking("The stock is in a table.", "planning")
    yield await engine.emit_tool_call_start("tool_1", "read_stock", "Read the stock", {"depot": "north"})
    yield await engine.emit_tool_call_progress("tool_1", 0.5, "Half of the rows")
    if "fail" in question:
        raise RuntimeError("The stock can't be read.")
    rows = [["Chairs", 12], ["Tables", 3]]
    yield await engine.emit_tool_call_end("tool_1", "success", {"rows": len(rows)}, duration_ms=40)
    table = {"name": "Stock", "columns": ["Item", "Count"], "rows": rows}
    yield await engine.emit_data("dataframe", table, {"description": "Depot north"})
    yield await engine.emit_content("There are **12 chairs** ")
    yield await engine.emit_content("and 3 tables.", is_complete=True)


async def answer(asked: dict) -> AsyncIterator[str]:
    engine = StreamingEngine(f"req_{uuid4()}")
    yield await engine.emit_session_start(asked.get("session_id") or f"session_{uuid4()}")
    try:
        async for frame in run_agent(engine, asked["messages"][-1]["content"] if asked["messages"] else ""):
            yield frame
        yield await engine.emit_session_end("completed", engine.summary(210))
    except Exception:
        logging.exception("The agent failed.")
        yield await engine.emit_error("execution", "The agent could not finish.", recoverable=True)
        yield await engine.emit_session_end("error", engine.summary(0))


@app.post("/")
async def chat(request: Request) -> StreamingResponse:
    return StreamingResponse(
        answer(await read(request)),
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
    if not isinstance(asked, dict) or not isinstance(asked.get("messages"), list):
        raise HTTPException(400, "There are no messages.")
    return asked
