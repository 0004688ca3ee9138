"""Session events for any Python server. It needs no package.

The events are described in docs/protocols/agent-session.md. `emit_tool_call_progress` is an addition that the event
list needs.
"""

import json
import math
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
    means that the client has disconnected, and further events are discarded (they return an empty string). An invalid
    event raises TypeError or ValueError, and is neither sent nor numbered.

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
        return await self._emit("thinking", _given(content=content, stage=stage))

    async def emit_tool_call_start(self, tool_id: str, tool_name: str, description: str, arguments: dict) -> str:
        return await self._emit(
            "tool_call_start",
            {"tool_id": tool_id, "tool_name": tool_name, "description": description, "arguments": arguments},
        )

    async def emit_tool_call_progress(self, tool_id: str, progress: float, message: str) -> str:
        """`progress`: 0 to 1."""
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
        data = {"tool_id": tool_id, "status": status, **_given(result=result, error=error)}
        return await self._emit("tool_call_end", data, duration_ms)

    async def emit_content(self, content: str, format: str = "markdown", is_complete: bool = False) -> str:
        return await self._emit("content", {"content": content, "format": format, "is_complete": is_complete})

    async def emit_data(self, data_type: str, data: Any, metadata: dict | None = None) -> str:
        return await self._emit("data", {"data_type": data_type, "data": data, **_given(metadata=metadata)})

    async def emit_error(
        self, error_type: str, message: str, details: dict | None = None, recoverable: bool = False
    ) -> str:
        """Does not end the session: `emit_session_end("error")` does. The user sees `message`, never `details`."""
        data = {"error_type": error_type, "message": message, **_given(details=details), "recoverable": recoverable}
        return await self._emit("error", data)

    async def emit_session_end(self, status: str, summary: dict | None = None) -> str:
        """Must be called last."""
        return await self._emit("session_end", {"status": status, **_given(summary=summary)})

    async def _emit(self, type: str, data: dict, duration_ms: int | None = None) -> str:
        _check(type, data, duration_ms)
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
        frame = f"data: {_to_json(event)}\n\n"
        self._state = "ended" if type == "session_end" else "open"
        self.sequence += 1
        self._tool_calls += type == "tool_call_start"
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
        # Each server has its own exception for a closed connection. A cancellation is no `Exception`, and passes.
        except Exception:
            return False


def _given(**fields: Any) -> dict:
    return {name: value for name, value in fields.items() if value is not None}


def _to_json(event: dict) -> str:
    """JSON has no NaN and no infinity, which a dataframe often contains: they are sent as null."""
    try:
        return json.dumps(event, ensure_ascii=False, allow_nan=False)
    except ValueError:
        finite = json.loads(json.dumps(event), parse_constant=lambda _name: None)
        return json.dumps(finite, ensure_ascii=False)


def _check(type: str, data: dict, duration_ms: Any) -> None:
    """Validates an event before it is sent."""
    for name, check in SHAPES[type].items():
        if name in data:
            check(f'Session event "{type}": "{name}"', data[name])
    if duration_ms is not None:
        _count(f'Session event "{type}": its duration', duration_ms)
    if type == "tool_call_end" and data["status"] == "failed" and "error" not in data:
        raise TypeError('Session event "tool_call_end": a failed call needs its "error".')
    if type == "data" and data["data_type"] == "dataframe":
        _dataframe('Session event "data": "data"', data["data"])


Check = Callable[[str, Any], None]


def _fail(path: str, expected: str, value: Any, error: type[Exception] = TypeError) -> None:
    raise error(f"{path} has to be {expected}, but is {repr(value)[:80]}.")


def _text(path: str, value: Any) -> None:
    if not isinstance(value, str):
        _fail(path, "a string", value)


def _name(path: str, value: Any) -> None:
    _text(path, value)
    if value == "":
        _fail(path, "a string that is not empty", value, ValueError)


def _flag(path: str, value: Any) -> None:
    if not isinstance(value, bool):
        _fail(path, "True or False", value)


def _record(path: str, value: Any) -> None:
    if not isinstance(value, dict):
        _fail(path, "a dict", value)


def _count(path: str, value: Any) -> None:
    # True and False are numbers in Python.
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        _fail(path, "a number from 0 up", value)
    if not 0 <= value < math.inf:
        _fail(path, "a number from 0 up", value, ValueError)


def _share(path: str, value: Any) -> None:
    _count(path, value)
    if value > 1:
        _fail(path, "a number from 0 to 1", value, ValueError)


def _one_of(*names: str) -> Check:
    def check(path: str, value: Any) -> None:
        if value not in names:
            _fail(path, f"one of {', '.join(names)}", value, ValueError)

    return check


def _fields(*needed: str, **checks: Check) -> Check:
    """Checks those of the fields that are given, or needed."""

    def check(path: str, value: Any) -> None:
        _record(path, value)
        for name, check_field in checks.items():
            if name in value or name in needed:
                check_field(f'{path}: "{name}"', value.get(name))

    return check


def _dataframe(path: str, value: Any) -> None:
    """A dataframe has a cell in every row for each of its columns; a row may also be a dict by column name."""
    _record(path, value)
    columns, rows = value.get("columns"), value.get("rows")
    if not isinstance(columns, (list, tuple)) or not all(isinstance(column, str) for column in columns):
        _fail(path, 'given "columns" of names', value)
    if not isinstance(rows, (list, tuple)):
        _fail(path, 'given "rows"', value)
    for row in rows:
        if not isinstance(row, dict) and not (isinstance(row, (list, tuple)) and len(row) == len(columns)):
            _fail(path, f'given {len(columns)} cells in each of its "rows"', row)


# The fields of each event; one that is not given is left out of the event.
SHAPES: dict[str, dict[str, Check]] = {
    "session_start": {"session_id": _name},
    "thinking": {"content": _text, "stage": _one_of(*STAGES)},
    "tool_call_start": {"tool_id": _name, "tool_name": _name, "description": _text, "arguments": _record},
    "tool_call_progress": {"tool_id": _name, "progress": _share, "message": _text},
    "tool_call_end": {
        "tool_id": _name,
        "status": _one_of("success", "failed"),
        "error": _fields("message", message=_name, code=_name),
    },
    "content": {"content": _text, "format": _one_of(*FORMATS), "is_complete": _flag},
    "data": {"data_type": _one_of(*DATA_TYPES), "metadata": _fields(description=_text)},
    "error": {"error_type": _one_of(*ERROR_TYPES), "message": _name, "details": _record, "recoverable": _flag},
    "session_end": {
        "status": _one_of(*STATUSES),
        "summary": _fields(total_tokens=_count, duration_ms=_count, tool_calls=_count),
    },
}
