import { expect } from '@open-wc/testing';
import { ChatError } from '../../src/errors.ts';
import { detectors } from '../../src/protocols/detectors.ts';
import { protocols } from '../../src/protocols/registry.ts';
import { guessByUrl, detectProtocol } from '../../src/runtime/stream/detect-protocol.ts';
import { findProtocol } from '../support/find-protocol.ts';
import { ndjson, sse } from '../support/play-body.ts';
import { recordings, readRecording, type Protocol } from '../support/recordings.ts';

/** The protocols in this test: other protocols must not change their results. */
const mine = new Set([
  'openai-chat',
  'agent-session',
  'agent-phase',
  'deepchat-events',
  'message-field',
  'agentscope-msg',
  'text',
  'json',
]);
const entries = protocols.list().filter(({ id }) => mine.has(id));

interface Row {
  readonly name: string;
  readonly body: string;
  readonly found: string;
  readonly url?: string;
}
function testRows(rows: readonly Row[]): void {
  for (const { name, body, found, url } of rows) {
    it(`${name} → ${found.replace(/ .*/s, '')}`, async () => {
      expect(await findProtocol(body, entries, url)).to.equal(found);
    });
  }
}

const one = (json: object): string => sse(json);
/** The start of the stream. */
const unsupported = (json: object): string => `unsupported-stream ${JSON.stringify(json)}`;
const message = { role: 'assistant', content: [{ type: 'text', text: 'x' }] };

describe('detection', () => {
  it('has the signals of every protocol', () => {
    expect(Object.keys(detectors)).to.include.members([...mine]);
  });

  describe('of recorded streams', () => {
    for (const protocol of Object.keys(recordings) as Protocol[]) {
      for (const name of recordings[protocol]) {
        // The old lines are another protocol's if this one is not configured.
        const found = name.startsWith('old-lines') ? /^unsupported-stream 0:/ : new RegExp(`^${protocol}$`);
        it(`${protocol}/${name}`, async () => {
          const { body } = await readRecording(protocol, name);
          const known = protocols.list().filter(({ id }) => mine.has(id) || id === protocol);
          expect(await findProtocol(body, known)).to.match(found);
        });
      }
    }
  });

  describe('by the first frames', () => {
    testRows([
      ...['message_start', 'message_field', 'message_field_delta', 'message_result'].map((type) => ({
        name: type,
        body: one({ type, message_id: 'm' }),
        found: 'message-field',
      })),
      ...['thinking', 'tool_calling', 'generating', 'completed', 'error'].map((phase) => ({
        name: `phase ${phase}`,
        body: ndjson({ type: 'x', phase, data: {} }),
        found: 'agent-phase',
      })),
      ...['session_start', 'thinking', 'tool_call_start', 'tool_call_progress', 'tool_call_end', 'content', 'data'].map(
        (type) => ({ name: type, body: one({ type, data: {}, metadata: { sequence: 3 } }), found: 'agent-session' }),
      ),
      ...['error', 'session_end', 'token', 'tool_call', 'tool_result', 'final_answer', 'dataframe_data', 'done'].map(
        (type) => ({ name: type, body: one({ type, data: {}, metadata: { timestamp: 1 } }), found: 'agent-session' }),
      ),
      {
        name: 'an old session event with its fields on the top level and a number',
        body: one({ type: 'token', content: 'x', metadata: { sequence: 0 } }),
        found: 'agent-session',
      },
      ...[
        { type: 'dataframe_data', data: { name: 'd', columns: ['x'], rows: [[1]] } },
        { type: 'dataframe_data', name: 'd', columns: ['x'], rows: [[1]] },
        { type: 'tool_call', data: { tool_id: 't', tool_name: 'f', arguments: {} } },
        { type: 'tool_call', data: { tool_name: 'f' } },
        { type: 'tool_call_start', data: { tool_id: 't', tool_name: 'f' } },
        { type: 'tool_call_progress', data: { tool_id: 't', progress: 1 } },
        { type: 'tool_call_end', data: { tool_id: 't', status: 'success' } },
        { type: 'tool_result', data: { tool_id: 't', result: 'r' } },
        { type: 'data', data: { data_type: 'dataframe', data: {} } },
        { type: 'session_start', data: { session_id: 's', request_id: 'r' } },
        { type: 'session_end', data: { status: 'error' } },
        { type: 'session_end', data: { status: 'error' }, metadata: { request_id: 'r' } },
        { type: 'tool_call_end', data: { tool_id: 't', status: 'success' }, metadata: { request_id: 'r' } },
      ].map((json) => ({
        name: `a session event without metadata: ${JSON.stringify(json)}`,
        body: one(json),
        found: 'agent-session',
      })),
      {
        name: 'a result without an id could be any',
        body: one({ type: 'tool_result', data: { result: 'r' } }),
        found: unsupported({ type: 'tool_result', data: { result: 'r' } }),
      },
      ...['response', 'error', 'end'].map((type) => ({
        name: `${type} with an eventId`,
        body: one({ type, data: { eventId: 'e' } }),
        found: 'deepchat-events',
      })),
      ...[
        { type: 'text', content: 'x' },
        { type: 'reasoning', reasoning_content: 'x' },
        { type: 'tool_call_start', tool_call_id: 't', tool_call_name: 'f' },
        { type: 'tool_call_chunk', tool_call_id: 't', tool_call_arguments_chunk: '{' },
        { type: 'tool_call_end', tool_call_id: 't' },
        { type: 'usage', usage: {} },
        { type: 'stop', stop_reason: 'complete' },
        { type: 'image_data', image_data: {} },
        { type: 'rate_limit', rate_limit: {} },
      ].map((json) => ({ name: `core ${json.type}`, body: ndjson(json), found: 'deepchat-events' })),
      {
        name: 'a response of an agent',
        body: one({ id: 'r', messageId: 'm', agentId: 'a', type: 'text', content: { text: 'x' }, status: 'complete' }),
        found: 'deepchat-events',
      },
      { name: 'a Msg', body: one({ ...message, name: 'a' }), found: 'agentscope-msg' },
      { name: 'a wrapped Msg', body: one({ msg: { ...message, name: 'a' }, last: false }), found: 'agentscope-msg' },
      { name: 'a list of Msgs', body: one([{ ...message, name: 'a', role: 'USER' }]), found: 'agentscope-msg' },
      { name: 'a Msg without a name', body: one({ ...message, role: 'ASSISTANT' }), found: 'agentscope-msg' },
      { name: 'a document of Msgs', body: JSON.stringify([{ ...message, name: 'a' }]), found: 'agentscope-msg' },
      { name: 'a chunk', body: one({ object: 'chat.completion.chunk', choices: [] }), found: 'openai-chat' },
      { name: 'a chunk without an object', body: one({ choices: [{ delta: {} }] }), found: 'openai-chat' },
      {
        name: 'an empty chunk before the first',
        body: sse({ object: '', choices: [] }, { choices: [{ delta: { content: 'x' } }] }),
        found: 'openai-chat',
      },
      {
        name: 'a complete completion',
        body: JSON.stringify({ object: 'chat.completion', choices: [{ message: { content: 'x' } }] }, null, 2),
        found: 'openai-chat',
      },
      {
        name: 'legacy completions',
        body: one({ object: 'text_completion', choices: [{ text: 'x' }] }),
        found: 'openai-chat',
      },
      { name: 'words', body: 'Hello\nthere', found: 'text' },
      { name: 'text that looks like a data stream', body: '0:30 remaining', found: 'text' },
      { name: 'events with text', body: sse('Hello', ' there'), found: 'text' },
      { name: 'an event with one word', body: sse('Hello', '[DONE]'), found: 'text' },
      { name: 'events with text, some of it numbers', body: sse('3', ' apples', '42', 'true'), found: 'text' },
      { name: 'a document', body: '{"answer":"x"}', found: 'json' },
      { name: 'a document on several lines', body: '{\n "answer": "x"\n}', found: 'json' },
      { name: 'a list of one document', body: '[{"text":"x"}]', found: 'json' },
    ]);
  });

  describe('by the URL', () => {
    const error = { error: { message: 'No credit', code: 402 } };
    testRows([
      {
        name: 'an error at /chat/completions',
        body: one(error),
        url: 'https://a.example/v1/chat/completions',
        found: 'openai-chat',
      },
      {
        name: 'a deployment, with a query',
        body: one(error),
        url: 'https://a.example/openai/deployments/x/chat/completions?api-version=1',
        found: 'openai-chat',
      },
      {
        name: 'frames that contradict the URL',
        body: one({ type: 'response', data: { eventId: 'e' } }),
        url: 'https://a.example/chat/completions',
        found: 'deepchat-events',
      },
    ]);

    it('before the first request', () => {
      const guess = (url: string): string | undefined => guessByUrl(new URL(url), entries)?.id;
      expect(guess('https://a.example/v1/chat/completions?x=1')).to.equal('openai-chat');
      expect(guess('https://a.example/chat/completions/7')).to.equal(undefined);
      expect(guess('https://a.example/agent')).to.equal(undefined);
    });
  });

  describe('of similar pairs', () => {
    const foreign: readonly { readonly name: string; readonly json: object }[] = [
      { name: 'Anthropic’s message_start', json: { type: 'message_start', message: { type: 'message' } } },
      { name: 'an Anthropic message', json: { type: 'message', ...message } },
      { name: 'n8n’s begin', json: { type: 'begin', metadata: { nodeId: 'n', timestamp: 1 } } },
      { name: 'n8n’s item', json: { type: 'item', content: 'x', metadata: { nodeId: 'n', timestamp: 1 } } },
      { name: 'n8n’s end', json: { type: 'end', metadata: { nodeId: 'n', timestamp: 1 } } },
      { name: 'a Responses event', json: { type: 'response.created', response: {} } },
      { name: 'an AI SDK event', json: { type: 'text-delta', id: '0', delta: 'x' } },
      { name: 'an AI SDK data part', json: { type: 'data-x', data: {} } },
      { name: 'an AG-UI event', json: { type: 'RUN_STARTED', threadId: 't', runId: 'r' } },
      { name: 'an AgentScope event', json: { type: 'TEXT_BLOCK_DELTA', reply_id: 'r', delta: 'x' } },
      { name: 'a Dify event', json: { event: 'message', task_id: 't', answer: 'x' } },
      { name: 'a Flowise event', json: { event: 'token', data: 'x' } },
      { name: 'an A2A result', json: { jsonrpc: '2.0', result: { kind: 'task' } } },
      { name: 'a Cohere event', json: { type: 'message-start', id: 'm' } },
      { name: 'a Gemini chunk', json: { candidates: [{ content: { parts: [] } }] } },
      { name: 'a core name without its field', json: { type: 'text', value: 'x' } },
      { name: 'a core name with another event’s field', json: { type: 'usage', content: 'x' } },
      { name: 'an unknown phase', json: { type: 'text', phase: 'dreaming', data: {} } },
      { name: 'a name in Object.prototype', json: { type: 'constructor', constructor: 1 } },
    ];
    testRows([
      ...foreign.map(({ name, json }) => ({ name, body: one(json), found: unsupported(json) })),
      {
        name: 'an n8n error, which has no data',
        body: sse(
          { type: 'begin', metadata: { nodeId: 'n' } },
          { type: 'error', content: 'x', metadata: { nodeId: 'n', timestamp: 1 } },
        ),
        found: `unsupported-stream {"type":"begin","metadata":{"nodeId":"n"}}\n{"type":"error","content":"x","metadata":{"nodeId":"n","timestamp":1}}`,
      },
      {
        name: 'a session’s tool call, not a model’s',
        body: one({ type: 'tool_call_start', data: { tool_id: 't' }, metadata: { sequence: 1 } }),
        found: 'agent-session',
      },
      {
        name: 'a phase’s text, not a model’s or a session’s',
        body: one({ type: 'text', phase: 'generating', content: 'x', data: {}, metadata: { sequence: 1 } }),
        found: 'agent-phase',
      },
      {
        name: 'a core event under an event name',
        body: 'event: text\ndata: {"type":"text","content":"x"}\n\n',
        found: unsupported({ type: 'text', content: 'x' }),
      },
      {
        name: 'the end of a session, after text that may be another’s',
        body: sse({ type: 'chunk', text: 'x' }, { type: 'session_end', data: { status: 'completed' } }),
        found: `unsupported-stream {"type":"chunk","text":"x"}\n{"type":"session_end","data":{"status":"completed"}}`,
      },
      { name: 'lines of a data stream', body: '0:"Hi"\n', found: 'unsupported-stream 0:"Hi"' },
      {
        name: 'a session’s error, not a provider’s',
        body: sse({ error: { message: 'x' } }, { type: 'error', data: { message: 'x' }, metadata: { sequence: 1 } }),
        found: 'agent-session',
      },
    ]);
  });

  describe('of only an error', () => {
    testRows([
      { name: 'a provider’s, and then the body ends', body: sse({ error: { message: 'x' } }, '[DONE]'), found: 'json' },
      {
        name: 'one with a type, and then the body ends',
        body: one({ type: 'error', error_message: 'x' }),
        found: 'json',
      },
      { name: 'a line', body: ndjson({ error: 'x' }), found: 'json' },
      {
        name: 'before its stream',
        body: sse({ error: { message: 'x' } }, { choices: [{ delta: { content: 'x' } }] }),
        found: 'openai-chat',
      },
      {
        name: 'a leading ping',
        body: `event: ping\ndata: {"type":"ping"}\n\n${one({ choices: [{ delta: {} }] })}`,
        found: 'openai-chat',
      },
    ]);
  });

  describe('of unknown streams', () => {
    const strange = Array.from({ length: 16 }, (_none, index) => ({ strange: index }));
    const start = (text: string): string => `unsupported-stream ${text.slice(0, 200)}`;
    testRows([
      {
        name: 'an HTML page',
        body: '\n<!DOCTYPE html>\n<title>Log in</title>',
        found: 'unsupported-stream <!DOCTYPE html>\n<title>Log in</title>',
      },
      { name: 'unknown events', body: sse({ a: 1 }, { b: 2 }), found: start('{"a":1}\n{"b":2}') },
      { name: 'unknown lines', body: ndjson({ a: 1 }, { b: 2 }), found: start('{"a":1}\n{"b":2}') },
      {
        name: 'a signal within the first sixteen frames',
        body: sse(...strange.slice(1), { choices: [{ delta: {} }] }),
        found: 'openai-chat',
      },
      {
        name: 'a signal after them',
        body: sse(...strange, { choices: [{ delta: {} }] }),
        found: start(strange.map((json) => JSON.stringify(json)).join('\n')),
      },
      { name: 'nothing', body: '', found: 'protocol empty' },
      { name: 'only comments', body: ': ping\n\n: ping\n\n', found: 'protocol empty' },
    ]);

    it('waits for no more than sixteen frames, and ends the body', async () => {
      let read = 0;
      let ended = false;
      const endless = async function* () {
        try {
          for (;;) yield await Promise.resolve([{ data: `{"strange":${String(read++)}}` }]);
        } finally {
          ended = true;
        }
      };
      const head = { url: new URL('https://a.example'), headers: new Headers() };
      const error: unknown = await detectProtocol({ framing: 'sse', batches: endless() }, head, entries).catch(
        (e: unknown) => e,
      );
      expect(error).to.be.instanceOf(ChatError).with.property('kind', 'unsupported-stream');
      expect((error as ChatError).message)
        .to.contain('It begins: {"strange":0}')
        .and.contain('defineProtocol');
      expect(read).to.equal(16);
      expect(ended).to.equal(true);
    });
  });
});
