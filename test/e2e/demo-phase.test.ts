/**
 * The demo's `agent-phase` server: three options, the order of phases, and citation markers. Source:
 * `docs/protocols/agent-phase.md`.
 */
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { SCENARIOS, type ScenarioName } from '../../demo/choices.ts';
import { splitCitations } from '../../demo/server/citation-marks.ts';
import { handleAgentRequest } from '../../demo/server/handle.ts';
import type { Source } from '../../demo/server/step.ts';

interface PhaseEvent {
  readonly type: string;
  readonly phase: string;
  readonly data: Readonly<Record<string, unknown>>;
}

describe('the demo’s agent-phase server', () => {
  let server: http.Server;
  let origin: string;
  before(async () => {
    server = http.createServer((request, response) => void handleAgentRequest(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    origin = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function requestEvents(options?: object, scenario: ScenarioName = 'citations'): Promise<readonly PhaseEvent[]> {
    const response = await fetch(`${origin}/agent/agent-phase?speed=0`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-id': '7', 'device-id': 'test' },
      body: JSON.stringify({
        chatId: '11200463399',
        messages: [{ role: 'user', content: SCENARIOS[scenario].ask }],
        ...(options && { options }),
      }),
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    // An event stream by its content type, and a JSON object on every line.
    const lines = (await response.text()).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as PhaseEvent);
  }

  const ofType = (events: readonly PhaseEvent[], type: string): readonly PhaseEvent['data'][] =>
    events.filter((event) => event.type === type).map(({ data }) => data);
  const textOf = (events: readonly PhaseEvent[]): string =>
    ofType(events, 'text')
      .map(({ content }) => content)
      .join('');

  it('without options: tools and citations, no reasoning', async () => {
    const events = await requestEvents();
    assert.equal(ofType(events, 'thinking').length, 0);
    assert.deepEqual(ofType(events, 'tool_start'), [
      {
        toolName: 'search_messages',
        toolDescription: 'Search messages in #warehouse',
        params: { channel: 'warehouse', query: 'buckle', limit: 100 },
      },
    ]);
    assert.deepEqual(ofType(events, 'tool_end'), [
      { toolName: 'search_messages', success: true, summary: '3 messages of 2 people' },
    ]);
    assert.equal(ofType(events, 'citation').length, 3);
  });

  it('showThinking: the reasoning in chunks, before the first text', async () => {
    const events = await requestEvents({ showThinking: true });
    const reasoning = ofType(events, 'thinking');
    assert.ok(reasoning.length > 1);
    assert.match(reasoning.map(({ content }) => content).join(''), /^The warehouse talks in its own channel\./);
    const lastThought = events.findLastIndex(({ type }) => type === 'thinking');
    assert.ok(lastThought < events.findIndex(({ type }) => type === 'text'));
  });

  it('showToolCalls: false: nothing about tools, and the same answer', async () => {
    const events = await requestEvents({ showToolCalls: false });
    assert.deepEqual([...ofType(events, 'tool_start'), ...ofType(events, 'tool_end')], []);
    assert.equal(ofType(events, 'citation').length, 3, 'what the tools found can be cited all the same');
    assert.equal(textOf(events), textOf(await requestEvents()));
  });

  it('detailedCitations: false: no citations, and the same answer without markers', async () => {
    const events = await requestEvents({ detailedCitations: false });
    assert.equal(ofType(events, 'citation').length, 0);
    assert.equal(textOf(events), textOf(await requestEvents()));
    assert.doesNotMatch(textOf(events), /cite|\[/);
  });

  it('cites directly after the supported text, in the order of the indexes', async () => {
    let text = '';
    const places: string[] = [];
    const events = await requestEvents();
    for (const { type, data } of events) {
      if (type === 'text') text += String(data['content']);
      if (type === 'citation') places.push(text.split(' ').slice(-3).join(' '));
    }
    assert.deepEqual(places, ['open under load', 'the same morning', 'the fifty tests']);
    const citations = ofType(events, 'citation');
    assert.deepEqual(
      citations.map(({ index, messageId, senderName, chatId }) => [index, messageId, senderName, chatId]),
      [
        [0, '431', 'Mara Lind', '11200463399'],
        [1, '436', 'Jon Aske', '11200463399'],
        [2, '440', 'Mara Lind', '11200463399'],
      ],
    );
    // As in the document's own example: two are found by their text, one is paraphrased.
    assert.deepEqual(
      citations.map(({ content }) => text.includes(String(content))),
      [true, false, true],
    );
  });

  for (const scenario of ['answer', 'failing-tool', 'permission'] as const) {
    it(`the phases come in their order, each with its message: ${scenario}`, async () => {
      const events = await requestEvents({ showThinking: true }, scenario);
      const phases = events.map(({ phase }) => phase).filter((phase, index, all) => phase !== all[index - 1]);
      assert.deepEqual(phases, ['thinking', 'tool_calling', 'generating', 'completed']);
      const changes = events.filter(({ type }) => type === 'phase_change');
      assert.deepEqual(
        changes.map(({ phase }) => phase),
        ['thinking', 'tool_calling', 'generating'],
      );
      assert.ok(changes.every(({ data }) => typeof data['message'] === 'string'));
      assert.equal(events.at(-1)?.type, 'done');
    });
  }

  it('a failed tool has a reason', async () => {
    const [failed, sent] = ofType(await requestEvents({}, 'failing-tool'), 'tool_end');
    assert.deepEqual(failed, {
      toolName: 'post_message',
      success: false,
      summary: 'Not posted',
      error: 'The bot is not a member of #finance.',
    });
    assert.equal(sent?.['success'], true);
  });

  for (const [scenario, code, recoverable] of [
    ['error', 'LEDGER_TIMEOUT', true],
    ['refused', 'PERIOD_OPEN', false],
  ] as const) {
    it(`an error ends it, without "done": ${scenario}`, async () => {
      const events = await requestEvents({}, scenario);
      const last = events.at(-1);
      assert.equal(last?.phase, 'error');
      assert.equal(last.data['code'], code);
      assert.equal(last.data['recoverable'], recoverable);
      assert.equal(ofType(events, 'done').length, 0);
    });
  }
});

describe('citation markers in streamed text', () => {
  const source = (id: string): Source => ({
    id,
    title: id,
    url: `https://chat.example/${id}`,
    text: id,
    sender: 'Mara',
    senderId: 'mara',
    timestamp: 0,
  });
  const sources = new Map(['431', 'a-b'].map((id) => [id, source(id)]));

  /** The text, with each citation as `<id>`. */
  function read(...chunks: readonly string[]): string {
    const marks = splitCitations(sources);
    return [...chunks.flatMap((chunk) => marks.feed(chunk)), ...marks.end()]
      .map((chunk) => ('words' in chunk ? chunk.words : `<${chunk.source.id}>`))
      .join('');
  }

  const rows = [
    { name: 'a marker in a sentence', text: 'It opened[cite:431], twice.', expected: 'It opened<431>, twice.' },
    { name: 'two in a row', text: 'x[cite:431][cite:a-b]y', expected: 'x<431><a-b>y' },
    { name: 'a marker of an unknown tool is removed', text: 'x[cite:nobody]y', expected: 'xy' },
    {
      name: 'a link is no marker',
      text: '[cited](https://a.example) [c] [',
      expected: '[cited](https://a.example) [c] [',
    },
    { name: 'a partial marker at the end is text', text: 'see [cite:43', expected: 'see [cite:43' },
    { name: 'a bracket before a marker', text: '[[cite:431]]', expected: '[<431>]' },
  ];
  for (const { name, text, expected } of rows) {
    it(`${name}, however it is cut`, () => {
      assert.equal(read(text), expected);
      assert.equal(read(...Array.from(text)), expected, 'one character at a time');
      for (let first = 0; first <= text.length; first++) {
        for (let second = first; second <= text.length; second++) {
          const chunks = [text.slice(0, first), text.slice(first, second), text.slice(second)];
          assert.equal(read(...chunks), expected, chunks.join('|'));
        }
      }
    });
  }

  it('holds back only text that can become a marker', () => {
    const marks = splitCitations(sources);
    assert.deepEqual(marks.feed('two [x'), [{ words: 'two [x' }]);
    assert.deepEqual(marks.feed(' and [ci'), [{ words: ' and ' }]);
    assert.deepEqual(marks.feed('rcle'), [{ words: '[circle' }]);
  });
});
