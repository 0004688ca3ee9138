/** The `StreamingEngine` to copy for Python: it validates and disconnects like the one in TypeScript. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { before, describe, it } from 'node:test';

interface Outcome {
  /** What the emitter returned, or the exception's class and message. */
  readonly returned?: string;
  readonly raised?: string;
  /** The number of the next event. */
  readonly sequence: number;
  readonly closed: boolean;
  readonly tools: number;
}

/** The calls are Python expressions; `e` is an engine whose session has started. */
const PROGRAM = `
import asyncio, json, sys
from streaming_engine import StreamingEngine

async def outcome(call, end):
    async def send(frame):
        if end and e.sequence > 1:
            raise end
        return True
    e = StreamingEngine("req_1", send=send)
    await e.emit_session_start("s")
    result = {}
    try:
        result["returned"] = await eval(call)
    except BaseException as error:
        result["raised"] = f"{type(error).__name__}: {error}"
    return {**result, "sequence": e.sequence, "closed": e.closed, "tools": e.summary(0)["tool_calls"]}

async def main():
    class ClosedResourceError(Exception): pass
    ends = {"own": ClosedResourceError(), "os": OSError(), "cancelled": asyncio.CancelledError()}
    print(json.dumps([await outcome(call, ends.get(end)) for call, end in json.load(sys.stdin)]))

asyncio.run(main())
`;

function runCalls(calls: readonly (readonly [call: string, end?: string])[]): readonly Outcome[] {
  const { stdout, stderr } = spawnSync(process.env['PYTHON'] ?? 'python3', ['-c', PROGRAM], {
    cwd: 'backends/session-events',
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    input: JSON.stringify(calls.map(([call, end]) => [call, end ?? null])),
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  return JSON.parse(stdout) as Outcome[];
}

const refused: readonly { readonly name: string; readonly call: string; readonly says: RegExp }[] = [
  { name: 'content that is not a string', call: 'e.emit_content(7)', says: /TypeError.*"content".*a string/ },
  { name: 'an unknown stage', call: 'e.emit_thinking("x", "musing")', says: /"stage".*'musing'/ },
  { name: 'no tool id', call: 'e.emit_tool_call_start("", "a", "", {})', says: /"tool_id"/ },
  { name: 'arguments as a list', call: 'e.emit_tool_call_start("t", "a", "", [])', says: /"arguments"/ },
  { name: 'progress over 100 %', call: 'e.emit_tool_call_progress("t", 1.5, "")', says: /0 to 1, but is 1\.5/ },
  { name: 'progress that is no number', call: 'e.emit_tool_call_progress("t", True, "")', says: /"progress"/ },
  { name: 'a failure without an error', call: 'e.emit_tool_call_end("t", "failed")', says: /"error"/ },
  {
    name: 'a failure whose error has no message',
    call: 'e.emit_tool_call_end("t", "failed", error={"x": 5})',
    says: /"error": "message"/,
  },
  {
    name: 'a duration that is no number',
    call: 'e.emit_tool_call_end("t", "success", duration_ms="long")',
    says: /duration.*'long'/,
  },
  {
    name: 'no duration',
    call: 'e.emit_tool_call_end("t", "success", duration_ms=float("nan"))',
    says: /duration.*nan/,
  },
  { name: 'data without a type', call: 'e.emit_data("video", {})', says: /"data_type"/ },
  { name: 'a dataframe without rows', call: 'e.emit_data("dataframe", {"columns": ["a"], "rows": 5})', says: /"rows"/ },
  {
    name: 'a row with too few cells',
    call: 'e.emit_data("dataframe", {"columns": ["a", "b"], "rows": [[1]]})',
    says: /2 cells/,
  },
  {
    name: 'a description that is no text',
    call: 'e.emit_data("custom", 1, {"description": 1})',
    says: /"description"/,
  },
  { name: 'data that can’t be serialized', call: 'e.emit_data("custom", {1, 2})', says: /TypeError/ },
  { name: 'an error without a type', call: 'e.emit_error("bad", "x")', says: /"error_type"/ },
  { name: 'an error without a message', call: 'e.emit_error("timeout", "")', says: /"message".*not empty/ },
  { name: 'details as text', call: 'e.emit_error("timeout", "m", details="trace")', says: /"details"/ },
  { name: 'an unknown status', call: 'e.emit_session_end("done")', says: /"status"/ },
  {
    name: 'a summary of text',
    call: 'e.emit_session_end("completed", {"total_tokens": "many", "duration_ms": 1, "tool_calls": 0})',
    says: /"total_tokens".*'many'/,
  },
];

const sent: readonly { readonly name: string; readonly call: string; readonly data: unknown }[] = [
  {
    name: 'a call',
    call: 'e.emit_tool_call_start("t", "a", "", {"x": 1})',
    data: { tool_id: 't', tool_name: 'a', description: '', arguments: { x: 1 } },
  },
  {
    name: 'metadata of any fields',
    call: 'e.emit_data("custom", 1, {"source": "crm"})',
    data: { data_type: 'custom', data: 1, metadata: { source: 'crm' } },
  },
  {
    name: 'a part of the summary',
    call: 'e.emit_session_end("completed", {"total_tokens": 3})',
    data: { status: 'completed', summary: { total_tokens: 3 } },
  },
  {
    name: 'an error without a code',
    call: 'e.emit_tool_call_end("t", "failed", error={"message": "m"})',
    data: { tool_id: 't', status: 'failed', error: { message: 'm' } },
  },
  {
    name: 'rows by column name, and as tuples',
    call: 'e.emit_data("dataframe", {"columns": ["a"], "rows": [{"a": 1}, (2,)]})',
    data: { data_type: 'dataframe', data: { columns: ['a'], rows: [{ a: 1 }, [2]] } },
  },
  {
    name: 'a cell without a number as null',
    call: 'e.emit_data("dataframe", {"columns": ["a"], "rows": [[float("nan")], [float("inf")]]})',
    data: { data_type: 'dataframe', data: { columns: ['a'], rows: [[null], [null]] } },
  },
  { name: 'null as custom data', call: 'e.emit_data("custom", None)', data: { data_type: 'custom', data: null } },
];

describe('StreamingEngine for Python', () => {
  let outcomes: ReadonlyMap<string, Outcome>;
  const closes = { own: 'an exception of the server', os: 'OSError' };
  before(() => {
    const calls = [
      ...[...refused, ...sent].map(({ call }) => [call] as const),
      ...[...Object.keys(closes), 'cancelled'].map((end) => ['e.emit_content("lost")', end] as const),
    ];
    outcomes = new Map(runCalls(calls).map((outcome, index) => [(calls[index] ?? []).join(' '), outcome]));
  });

  for (const { name, call, says } of refused) {
    it(`refuses ${name}, sends nothing and uses no number`, () => {
      const outcome = outcomes.get(call);
      assert.match(outcome?.raised ?? `it returned ${String(outcome?.returned)}`, says);
      assert.deepEqual([outcome?.sequence, outcome?.tools], [1, 0]);
    });
  }

  for (const { name, call, data } of sent) {
    it(`sends ${name}`, () => {
      const frame = (outcomes.get(call)?.returned ?? '').replace(/^data: /, '');
      assert.deepEqual((JSON.parse(frame) as { data: unknown }).data, data);
    });
  }

  for (const [end, name] of Object.entries(closes)) {
    it(`handles a client that disconnects: the connection throws ${name}`, () => {
      const { returned, closed } = outcomes.get(`e.emit_content("lost") ${end}`) ?? {};
      assert.deepEqual([returned, closed], ['', true]);
    });
  }

  it('a cancellation is no disconnected client', () => {
    assert.match(outcomes.get('e.emit_content("lost") cancelled')?.raised ?? '', /^CancelledError/);
  });
});
