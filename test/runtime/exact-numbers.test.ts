/** Numbers in the arguments of a permission that JavaScript rounds: what is shown is what runs. */
import { expect } from '@open-wc/testing';
import { isRecord, parseServerJson } from '../../src/model/json.ts';
import { exactJson } from '../../src/protocols/core/exact-json.ts';
import { adapter as langgraph } from '../../src/protocols/langgraph/langgraph.ts';
import type { ProtocolMapping } from '../../src/protocols/mapping/map-protocol.ts';
import { adapter as mastra } from '../../src/protocols/mastra/mastra.ts';
import { playBody } from '../support/play-body.ts';
import { approvalWires, type ApprovalWire } from './support/approval-wires.ts';
import { isAsking, makeChat, pending, until } from './support/make-chat.ts';

/** The numbers of the test stand for numbers that are written differently once they are parsed. */
const EXACT: readonly (readonly [stand: number, sent: string])[] = [
  [4_242_424_242_001, '9007199254740993'],
  [4_242_424_242_002, '0.12345678901234567890'],
  [4_242_424_242_003, '-1e400'],
  [4_242_424_242_004, '18446744073709551615'],
];
const exactly = (text: string): string =>
  EXACT.reduce((all, [stand, sent]) => all.replaceAll(String(stand), sent), text);

const ARGS = {
  amount: 4_242_424_242_001,
  rates: [1, 4_242_424_242_002, [4_242_424_242_001]],
  more: { limit: 4_242_424_242_003, to: { account: 4_242_424_242_004 } },
  memo: '9007199254740993, \\" 12345678901234567890',
  count: 7,
  '0': { __proto__id: 4_242_424_242_001 },
};

/** Each number of the arguments in a text, which may be JSON in JSON. */
const numbersIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:amount|limit|account|id)\\*":\s*(-?[\w.+]+)/g)].map(([, number = '']) => number);

/** The wires whose server runs the call of the answer, so that the card shows its numbers as they are sent back. */
const SENT_BACK = /^(?:ai-sdk|agno|agentscope for Java)/;

async function ask(wire: ApprovalWire) {
  const bodies: string[] = [];
  const question = { id: 'q', call: 'c', name: 'pay', args: ARGS };
  const replies = [exactly(wire.asks([question]).join(''))];
  const { chat } = makeChat(
    [
      async (asked) => {
        const { body } = asked.init;
        if (body instanceof FormData) bodies.push(JSON.stringify([...body]));
        else if (body instanceof Blob) bodies.push(await body.text());
        else if (typeof body === 'string') bodies.push(body);
        const side = wire.side?.(asked);
        if (side) return Response.json(side);
        return new Response(replies.shift() ?? wire.done, {
          headers: { 'content-type': wire.contentType ?? 'text/event-stream' },
        });
      },
    ],
    { protocol: wire.protocol, endpoint: `https://agent.example${wire.path ?? '/chat'}` },
  );
  const sent = chat.send('Go');
  await until(chat, isAsking);
  const { content = '', tool_call: { params = '' } = {} } = pending(chat);
  const calls = chat.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === 'tool_call' ? [block.tool_call.params ?? ''] : [])),
  );
  const before = bodies.length;
  void chat.respond(pending(chat).id, 'granted');
  await sent;
  return { params, content, calls, answer: bodies.slice(before).join('\n') };
}

describe('rule 80: numbers in the arguments of a permission that JavaScript rounds', () => {
  for (const wire of approvalWires) {
    it(wire.name, async () => {
      const { params, calls, answer } = await ask(wire);
      const shown = numbersIn(params);
      expect(shown.length).to.equal(4);
      const returned = numbersIn(answer);
      if (SENT_BACK.test(wire.name)) {
        expect(returned.length).to.be.greaterThan(0);
        expect(returned.slice(0, 4)).to.deep.equal(shown);
      } else {
        // The answer may contain the call as it was sent.
        if (returned.length > 0) expect(returned).to.deep.equal(shown);
        expect(params).to.equal(exactly(JSON.stringify(ARGS)));
        for (const call of calls) expect(call).to.equal(params);
      }
    });
  }

  it('a mapping: the path leads to the number itself, and the id of the question is a number', async () => {
    const bodies: unknown[] = [];
    const protocol: ProtocolMapping = {
      id: 'acme',
      request: { body: { prompt: '{text}', decisions: '{answers}' } },
      events: [
        { each: 'asks', approval: { id: 'id', name: 'tool', arguments: 'input.amounts[0]' } },
        { when: { done: true }, finish: 'complete' },
        { when: { paused: true }, finish: 'tool_use' },
      ],
    };
    const replies = [
      'data: {"asks":[{"id":9007199254740993,"tool":"pay","input":{"amounts":[9007199254740995]}},' +
        '{"id":9007199254740992,"tool":"pay","input":{"amounts":[7]}}]}\n\ndata: {"paused":true}\n\n',
    ];
    const { chat } = makeChat(
      [
        ({ body }) => {
          bodies.push(body);
          return new Response(replies.shift() ?? 'data: {"done":true}\n\n', {
            headers: { 'content-type': 'text/event-stream' },
          });
        },
      ],
      { protocol },
    );
    const sent = chat.send('Go');
    for (const params of ['9007199254740995', '7']) {
      await until(chat, isAsking);
      expect(pending(chat).tool_call?.params).to.equal(params);
      void chat.respond(pending(chat).id, params === '7' ? 'granted' : 'denied');
    }
    await sent;
    expect(bodies[1]).to.deep.equal({
      prompt: '',
      decisions: [
        { id: '9007199254740993', approved: false },
        { id: '9007199254740992', approved: true },
      ],
    });
  });

  it('langgraph: the question is about the call with the same number only; a question in a form of its own', async () => {
    const frames = [
      'event: metadata\ndata: {"run_id":"r"}',
      'event: messages\ndata: [{"type":"AIMessageChunk","id":"m","content":"","tool_call_chunks":[' +
        '{"index":0,"id":"c1","name":"pay","args":"{\\"b\\":[9007199254740992],\\"a\\":1}"},' +
        '{"index":1,"id":"c2","name":"pay","args":"{\\"b\\":[9007199254740993],\\"a\\":1}"}]},{}]',
      'event: updates\ndata: {"__interrupt__":[{"id":"i","value":{"action_requests":[' +
        '{"name":"pay","args":{"a":1,"b":[9007199254740993]}}],"review_configs":[]}},' +
        '{"id":"j","value":{"pay":9007199254740993}}]}',
    ];
    const { seen } = await playBody(langgraph, frames.map((frame) => `${frame}\n\n`).join(''));
    const blocks = seen.flatMap(({ blocks: all }) => all as readonly Readonly<Record<string, unknown>>[]);
    expect(
      blocks.filter(({ type }) => type === 'action').map(({ tool_call, content }) => tool_call ?? content),
    ).to.deep.equal([
      { id: 'c2', name: 'pay', params: '{"a":1,"b":[9007199254740993]}' },
      '{\n  "pay": 9007199254740993\n}',
    ]);
  });

  it('mastra: arguments without its metadata, also under the name of a prototype; a suspended tool', async () => {
    const frames = [
      '{"type":"start","runId":"r","payload":{}}',
      '{"type":"tool-call","runId":"r","payload":{"toolCallId":"c","toolName":"pay","args":' +
        '{"amount":9007199254740993,"__proto__":{"to":9007199254740995},"__mastraMetadata":{"isStreaming":true}}}}',
      '{"type":"tool-call-suspended","runId":"r","payload":{"toolCallId":"c","toolName":"pay",' +
        '"suspendPayload":{"amount":9007199254740993}}}',
    ];
    const { seen } = await playBody(mastra, frames.map((frame) => `data: ${frame}\n\n`).join(''));
    const blocks = seen.flatMap(({ blocks: all }) => all as readonly Readonly<Record<string, unknown>>[]);
    expect(blocks.map(({ tool_call, content }) => (isRecord(tool_call) ? tool_call['params'] : content))).to.deep.equal(
      ['{"amount":9007199254740993,"__proto__":{"to":9007199254740995}}', '{"amount":9007199254740993}'],
    );
  });

  it('adk: the data of a confirmation is shown as it is sent back', async () => {
    const wire = approvalWires.find(({ name }) => name === 'adk');
    if (!wire) throw new Error('There is no such wire.');
    const withData = (body: string): string =>
      body.replace('"hint":"Run it?"', '"hint":"Run it?","payload":{"amount":9007199254740993}');
    const { content, answer } = await ask({ ...wire, asks: (questions) => [withData(wire.asks(questions).join(''))] });
    expect(numbersIn(answer)).to.deep.equal(numbersIn(content));
    expect(numbersIn(answer).length).to.equal(1);
  });

  it('a server that writes missing numbers as NaN', () => {
    const text = '{"a":NaN,"b":9007199254740993,"c":"NaN 9007199254740993"}';
    expect(exactJson(parseServerJson(text))).to.equal(text.replace('NaN', 'null'));
  });

  it('numbers that JavaScript writes differently without rounding them are written as always', () => {
    const text = '{"a":1.0,"b":[1e5,-0,100000000000000000000],"c":{"d":9007199254740991}}';
    expect(exactJson(parseServerJson(text))).to.equal(JSON.stringify(JSON.parse(text)));
  });
});
