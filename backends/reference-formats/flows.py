"""One complete flow for each of the four formats. Copy the function of your format, and replace its answer."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from datetime import datetime, timezone
from uuid import uuid4

DECISION_TIMEOUT = 120  # maximum time to wait for a decision, in seconds

# Streams that wait for a decision, by the id of their call.
waiting: dict[str, asyncio.Future[bool]] = {}


def encode(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def frame(value: object) -> str:
    return f"data: {encode(value)}\n\n"


def chunks_of(text: str) -> list[str]:
    """Splits a text into chunks, as a model sends it."""
    return re.findall(r"\s*\S+\s*", text)


async def phase_events(asked: dict) -> AsyncIterator[str]:
    """`{type, phase, data}`, one object per line. Format: docs/protocols/agent-phase.md."""

    def line(type: str, phase: str, **data: object) -> str:
        return encode({"type": type, "phase": phase, "data": data}) + "\n"

    options = asked.get("options") if isinstance(asked.get("options"), dict) else {}
    yield line("phase_change", "thinking", message="Reading the question...")
    if options.get("showThinking"):
        yield line("thinking", "thinking", content="A week of messages is enough.")
    yield line("phase_change", "tool_calling", message="Getting the messages...")
    if options.get("showToolCalls", True):
        params = {"since": 1_767_225_600_000, "limit": 40}
        tool = {"toolName": "read_messages"}
        yield line("tool_start", "tool_calling", **tool, toolDescription="Read the messages", params=params)
        await asyncio.sleep(0.02)
        yield line("tool_end", "tool_calling", **tool, success=True, summary="40 messages read")
        tool = {"toolName": "read_calls"}
        yield line("tool_start", "tool_calling", **tool, toolDescription="Read the calls", params={})
        problem = {"summary": "The calls are missing", "error": "The phone is not connected"}
        yield line("tool_end", "tool_calling", **tool, success=False, **problem)
    yield line("phase_change", "generating", message="Writing...")
    for content in chunks_of("Two things came up:\n\nInes says the lift is slow"):
        yield line("text", "generating", content=content)
    if options.get("detailedCitations", True):
        sender = {"senderId": "u5", "senderName": "Ines", "chatId": asked.get("chatId")}
        message = {"messageId": "77", "content": "the lift is slow", "timestamp": 1_767_312_000_000}
        yield line("citation", "generating", index=0, **message, **sender)
    for content in chunks_of(", most of all in the morning.\n"):
        yield line("text", "generating", content=content)
    yield line("structured", "generating", dataType="summary", totals={"messages": 40, "people": 2})
    yield line("done", "completed", finishReason="stop", stats={"totalTokens": 640, "iterations": 2})


async def message_fields(asked: dict) -> AsyncIterator[str]:
    """A reply as messages that grow field by field. Format: docs/protocols/message-field.md."""
    project_id = asked.get("project_id") or str(uuid4())

    def send(type: str, id: str, **fields: object) -> str:
        return frame({"message_id": id, **fields, "project_id": project_id, "type": type})

    def start(id: str, role: str, tool_call_id: str | None = None) -> str:
        return send("message_start", id, tool_call_id=tool_call_id, role=role)

    def add(id: str, field: str, delta: str) -> str:
        return send("message_field_delta", id, field_name=field, delta=delta)

    def end(id: str, **message: object) -> str:
        return send("message_result", id, message={"id": id, "content": "", "thinking": False, **message})

    def call(arguments: str | None) -> dict:
        return {"id": "use_1", "type": "function", "function": {"name": "web_search", "arguments": arguments}}

    thought, thinking = str(uuid4()), "Two lakes are near. A search tells which one has a train."
    yield start(thought, "assistant")
    yield send("message_field", thought, field_name="thinking", field_value=True)
    for chunk in chunks_of(thinking):
        yield add(thought, "content", chunk)
    yield end(thought, role="assistant", thinking=True, content=thinking)

    asking, arguments = str(uuid4()), '{"q":"lakes with a station"}'
    yield start(asking, "assistant")
    yield send("message_field", asking, field_name="tool_calls[0]", field_value=call(None))
    for chunk in (arguments[:5], arguments[5:]):
        yield add(asking, "tool_calls[0].function.arguments", chunk)
    yield end(asking, role="assistant", tool_calls=[call(arguments)])
    await asyncio.sleep(0.02)
    found, result = str(uuid4()), "Lake Orne: station at the shore"
    yield start(found, "tool", "use_1")
    yield add(found, "content", result)
    yield end(found, role="tool", tool_call_id="use_1", content=result)

    answer, text = str(uuid4()), "Take **Lake Orne**: the train stops at its shore."
    yield start(answer, "assistant")
    for chunk in chunks_of(text):
        yield add(answer, "content", chunk)
    actions = [{"label": "Show the trains", "text": "Which trains go to Lake Orne?"}]
    yield end(answer, role="assistant", content=text, recommend_actions=actions, session_state={"step": 1})


def decide(permissions: object) -> bool:
    """Passes decisions to the streams that wait for them. Returns whether a stream was waiting."""
    decided = False
    for one in permissions if isinstance(permissions, list) else []:
        decision = waiting.pop(str(one.get("tool_call_id")), None) if isinstance(one, dict) else None
        if decision and not decision.done():
            decision.set_result(one.get("decision") == "granted")
            decided = True
    return decided


async def decision_of(id: str) -> bool:
    waiting[id] = asyncio.get_running_loop().create_future()
    try:
        return await asyncio.wait_for(waiting[id], DECISION_TIMEOUT)
    except asyncio.TimeoutError:  # its name in Python 3.10
        return False
    finally:
        waiting.pop(id, None)


async def deepchat_events(asked: dict) -> AsyncIterator[str]:
    """Events of an agent, with a permission during which the stream stays open. Format: docs/protocols/deepchat-events.md."""
    event_id = str(uuid4())
    id = f"call_{event_id}"

    def respond(**data: object) -> str:
        return frame({"type": "response", "data": {"eventId": event_id, **data}})

    yield respond(reasoning_content="The letter is written. Sending it needs a yes.")
    server = {"tool_call_server_name": "post", "tool_call_server_description": "Letters"}
    tool = {"tool_call_name": "send_letter", "tool_call_params": ""}
    yield respond(tool_call="start", tool_call_id=id, **tool, **server)
    yield respond(tool_call="update", tool_call_id=id, tool_call_params='{"to":"Harbour office"}')
    request = {"toolName": "send_letter", "serverName": "post", "permissionType": "write", "description": "Sends it"}
    yield respond(tool_call="permission-required", tool_call_id=id, permission_request=request)
    granted = await decision_of(id)
    if granted:
        response = [{"type": "text", "text": "Sent at 9:40"}]
        yield respond(tool_call="end", tool_call_id=id, tool_call_response=response)
    else:
        yield respond(tool_call="error", tool_call_id=id, tool_call_response="Not allowed")
    for content in chunks_of("The letter is **on its way**." if granted else "Then the letter stays here."):
        yield respond(content=content)
    usage = {"prompt_tokens": 40, "completion_tokens": 12, "total_tokens": 52, "context_length": 8000}
    yield respond(totalUsage=usage)
    yield frame({"type": "end", "data": {"eventId": event_id, "userStop": False}})


async def agentscope_messages(asked: dict) -> AsyncIterator[str]:
    """Messages of two agents. Format: docs/protocols/agentscope-msg.md."""

    def send(role: str, *content: dict, **more: object) -> str:
        return frame({"role": role, "content": content, "metadata": {}, **more})

    def text(value: str) -> dict:
        return {"type": "text", "text": value}

    # Without a name and an id, as in `Msg.builder().role(…)`.
    use = {"type": "tool_use", "id": "call_1", "name": "find_train", "input": {"to": "Bergen"}}
    yield send("ASSISTANT", {"type": "thinking", "thinking": "Which train?"}, text("I look it up."), use)
    await asyncio.sleep(0.02)
    yield send("TOOL", {"type": "tool_result", "toolUseId": "call_1", "output": [text("9:40, platform 2")]})
    answers = {"Planner": "Take the train at 9:40.", "Critic": "The one at 10:10 has a dining car."}
    for name, answer in answers.items():
        # Snapshots: each message has all of its text so far.
        said = ""
        for chunk in chunks_of(answer):
            said += chunk
            now = datetime.now(timezone.utc).isoformat()
            yield send("ASSISTANT", text(said), name=name, id=f"msg_{name}", timestamp=now)


FLOWS = {
    "phase-events": phase_events,
    "message-fields": message_fields,
    "deepchat-events": deepchat_events,
    "agentscope-messages": agentscope_messages,
}
