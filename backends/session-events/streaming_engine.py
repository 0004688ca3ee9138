"""Session events for any Python server. It needs no package.

The events are described in docs/protocols/agent-session.md. `emit_tool_call_progress` is an addition that the event
list needs.
"""

import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

STAGES = ("reasoning", "planning", "analyzing")
FORMATS = ("markdown", "text", "html")
DATA_TYPES = ("dataframe", "chart", "image", "custom")
ERROR_TYPES = ("validation", "execution", "timeout", "system")
STATUSES = ("completed", "error", "cancelled")


class StreamingEngine:
    """Sends all events of a session: it adds number and time, validates them, keeps a log, and tolerates a client that
    disconnects.

    Each emitter returns the frame, so that a generator can yield it. `send` writes it instead: False or an exception
    means that the client has disconnected, and further events are discarded (they return an empty string).

        engine = StreamingEngine("req_1")
        yield await engine.emit_session_start("session_1")
        yield await engine.emit_content("Hello", is_complete=True)
        yield await engine.emit_session_end("completed", engine.summary(12))
    """

    def __init__(
        self,
        request_id: str,
        send: Callable[[str], Awaitable[bool | None]] | None = None,
        log: Callable[[dict], None] | None = None,
    ):
        if not request_id:
            raise ValueError("A StreamingEngine needs the id of its request.")
        self.request_id = request_id
        self.sequence = 0
        self.start_time = time.time()
        self.log: list[dict] = []
        self.closed = False
        self._send = send
        self._on_event = log
        self._state = "new"
        self._tool_calls = 0

    def summary(self, total_tokens: int) -> dict:
        """Values that `session_end` may summarize; the caller counts the tokens."""
        duration = int((time.time() - self.start_time) * 1000)
        return {"total_tokens": total_tokens, "duration_ms": duration, "tool_calls": self._tool_calls}

    async def emit_session_start(self, session_id: str) -> str:
        """Must be called first. The event has no `request_id` in its metadata, because its data has it."""
        return await self._emit("session_start", {"session_id": session_id, "request_id": self.request_id})

    async def emit_thinking(self, content: str, stage: str | None = None) -> str:
        _one_of("stage", stage, STAGES, optional=True)
        return await self._emit("thinking", _given(content=content, stage=stage))

    async def emit_tool_call_start(self, tool_id: str, tool_name: str, description: str, arguments: dict) -> str:
        _is("arguments", arguments, dict)
        frame = await self._emit(
            "tool_call_start",
            {"tool_id": tool_id, "tool_name": tool_name, "description": description, "arguments": arguments},
        )
        self._tool_calls += 1
        return frame

    async def emit_tool_call_progress(self, tool_id: str, progress: float, message: str) -> str:
        """`progress`: 0 to 1."""
        if not 0 <= progress <= 1:
            raise ValueError(f"progress has to be a number from 0 to 1, but is {progress!r}.")
        return await self._emit("tool_call_progress", {"tool_id": tool_id, "progress": progress, "message": message})

    async def emit_tool_call_end(
        self,
        tool_id: str,
        status: str,
        result: Any = None,
        error: dict | None = None,
        duration_ms: int | None = None,
    ) -> str:
        """`error` is `{"message", "code"}`, and needed when the call has failed."""
        _one_of("status", status, ("success", "failed"))
        if status == "failed" and not error:
            raise ValueError("A failed call needs its error.")
        data = {"tool_id": tool_id, "status": status, **_given(result=result, error=error)}
        return await self._emit("tool_call_end", data, duration_ms)

    async def emit_content(self, content: str, format: str = "markdown", is_complete: bool = False) -> str:
        _one_of("format", format, FORMATS)
        return await self._emit("content", {"content": content, "format": format, "is_complete": is_complete})

    async def emit_data(self, data_type: str, data: Any, metadata: dict | None = None) -> str:
        _one_of("data_type", data_type, DATA_TYPES)
        return await self._emit("data", {"data_type": data_type, "data": data, **_given(metadata=metadata)})

    async def emit_error(
        self, error_type: str, message: str, details: dict | None = None, recoverable: bool = False
    ) -> str:
        """Does not end the session: `emit_session_end("error")` does. The user sees `message`, never `details`."""
        _one_of("error_type", error_type, ERROR_TYPES)
        data = {"error_type": error_type, "message": message, **_given(details=details), "recoverable": recoverable}
        return await self._emit("error", data)

    async def emit_session_end(self, status: str, summary: dict | None = None) -> str:
        """Must be called last."""
        _one_of("status", status, STATUSES)
        return await self._emit("session_end", {"status": status, **_given(summary=summary)})

    async def _emit(self, type: str, data: dict, duration_ms: int | None = None) -> str:
        for name in ("content", "message", "session_id", "tool_id", "tool_name", "description"):
            if name in data:
                _is(name, data[name], str)
        if self.closed:
            return ""
        if self._state == "ended":
            raise RuntimeError(f'Session event "{type}": the session has ended.')
        if (type == "session_start") != (self._state == "new"):
            raise RuntimeError(f'Session event "{type}": a session starts once, with session_start.')
        metadata = {
            **({} if type == "session_start" else {"request_id": self.request_id}),
            "timestamp": int(time.time()),
            "sequence": self.sequence,
            **_given(duration_ms=duration_ms),
        }
        event = {"type": type, "data": data, "metadata": metadata}
        # A value that can't be serialized raises here, before the event gets a number.
        frame = f"data: {json.dumps(event, ensure_ascii=False)}\n\n"
        self._state = "ended" if type == "session_end" else "open"
        self.sequence += 1
        self.log.append(event)
        if self._on_event:
            self._on_event(event)
        if not await self._deliver(frame):
            self.closed = True
            return ""
        return frame

    async def _deliver(self, frame: str) -> bool:
        if self._send is None:
            return True
        try:
            return await self._send(frame) is not False
        except (OSError, RuntimeError):
            return False


def _given(**fields: Any) -> dict:
    return {name: value for name, value in fields.items() if value is not None}


def _one_of(name: str, value: str | None, names: tuple[str, ...], optional: bool = False) -> None:
    if value not in names and not (optional and value is None):
        raise ValueError(f"{name} has to be one of {', '.join(names)}, but is {value!r}.")


def _is(name: str, value: Any, kind: type) -> None:
    if not isinstance(value, kind):
        raise TypeError(f"{name} has to be of the type {kind.__name__}, but is {value!r}.")
