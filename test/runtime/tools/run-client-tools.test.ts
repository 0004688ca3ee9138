import { expect } from '@open-wc/testing';
import type { ClientTool } from '../../../src/agents/tools.ts';
import type { ChatMessage } from '../../../src/model/message.ts';
import { isRememberable } from '../../../src/model/is-rememberable.ts';
import { argumentsMatchSchema } from '../../../src/runtime/tools/arguments-match-schema.ts';
import { isAsking, makeChat, pending, until } from '../support/make-chat.ts';
import { callsOf, completionOf, stream, type Asked } from '../support/scripted-server.ts';
import { END, says, wireAgent } from '../support/wire-agent.ts';

const weather: ClientTool = {
  name: 'weather',
  description: 'The weather of a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  execute: (args) => ({ args, celsius: 21 }),
};
const asks = stream(callsOf(['c1', 'weather', '{"city":"Ulm"}']));
const done = stream(completionOf('It is warm.'));
const settings = { protocol: 'openai-chat', tools: [weather] };

/** The messages of a request after the user's message. */
const sentBack = (asked: Asked | undefined): readonly unknown[] => {
  const { messages } = asked?.body as { messages: { role: string }[] };
  return messages.slice(messages.findIndex(({ role }) => role === 'user') + 1);
};
const call = (id: string, name: string, args: string): object => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const calls = ({ blocks }: ChatMessage): readonly unknown[] =>
  blocks.flatMap((block) => (block.type === 'tool_call' ? [[block.status, block.tool_call.response]] : []));

describe('tools of the page', () => {
  it('are offered to the agent', async () => {
    const { chat, server } = makeChat([done], settings);
    await chat.send('Hi');
    const { tools } = server.bodies[0] as { tools: unknown };
    const { name, description, parameters } = weather;
    expect(tools).to.deep.equal([{ type: 'function', function: { name, description, parameters } }]);
  });

  it('run when they are called, and their results are sent back', async () => {
    const { chat, server } = makeChat([asks, done], settings);
    const answer = await chat.send('Hi');
    expect(sentBack(server.asked[1])).to.deep.equal([
      { role: 'assistant', content: null, tool_calls: [call('c1', 'weather', '{"city":"Ulm"}')] },
      { role: 'tool', tool_call_id: 'c1', content: '{"args":{"city":"Ulm"},"celsius":21}' },
    ]);
    expect(answer.blocks.map(({ type, status }) => [type, status])).to.deep.equal([
      ['tool_call', 'success'],
      ['content', 'success'],
    ]);
    expect(chat.messages).to.have.length(2);
  });

  it('run with the arguments as the user has changed them, and the agent is informed', async () => {
    const { chat, server } = makeChat([asks, done], { ...settings, tools: [{ ...weather, needsApproval: true }] });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { arguments: { city: 'Bonn' } });
    await sent;
    expect(sentBack(server.asked[1])).to.deep.equal([
      { role: 'assistant', content: null, tool_calls: [call('c1', 'weather', '{"city":"Bonn"}')] },
      { role: 'tool', tool_call_id: 'c1', content: '{"args":{"city":"Bonn"},"celsius":21}' },
    ]);
  });

  it('run in parallel, each with its own result', async () => {
    const first = Promise.withResolvers<string>();
    const slow: ClientTool = { ...weather, name: 'slow', execute: () => first.promise };
    const fast: ClientTool = {
      ...weather,
      name: 'fast',
      execute() {
        first.resolve('slow result');
        return 'fast result';
      },
    };
    const both = stream(callsOf(['a', 'slow', '{}'], ['b', 'fast', '']));
    const { chat, server } = makeChat([both, done], { ...settings, tools: [slow, fast] });
    expect(calls(await chat.send('Hi'))).to.deep.equal([
      ['success', 'slow result'],
      ['success', 'fast result'],
    ]);
    expect(sentBack(server.asked[1]).slice(1)).to.deep.equal([
      { role: 'tool', tool_call_id: 'a', content: 'slow result' },
      { role: 'tool', tool_call_id: 'b', content: 'fast result' },
    ]);
  });

  const failures: readonly { readonly name: string; readonly execute: () => unknown; readonly said: RegExp }[] = [
    {
      name: 'throws',
      execute: () => {
        throw new Error('No such city.');
      },
      said: /^No such city\.$/,
    },
    { name: 'rejects', execute: () => Promise.reject(new Error('No such city.')), said: /^No such city\.$/ },
    { name: 'returns invalid JSON', execute: () => 1n, said: /BigInt/ },
  ];
  for (const { name, execute, said } of failures) {
    it(`one that ${name} is sent back as an error, and the agent continues`, async () => {
      const { chat, server } = makeChat([asks, done], { ...settings, tools: [{ ...weather, execute }] });
      const answer = await chat.send('Hi');
      const [[state, response] = []] = calls(answer) as [string, string][];
      expect(state).to.equal('error');
      expect(response).to.match(said);
      expect(sentBack(server.asked[1])[1]).to.deep.equal({ role: 'tool', tool_call_id: 'c1', content: response });
      expect(answer.status).to.equal('complete');
    });
  }

  it('an unknown one ends the turn with an error in its block, and nothing is run or sent back', async () => {
    let run = 0;
    const counted: ClientTool = { ...weather, execute: () => run++ };
    const both = stream(callsOf(['a', 'weather', '{}'], ['b', 'unknown', '{}']));
    const { chat, server, told } = makeChat([both, done], { ...settings, tools: [counted] });
    const answer = await chat.send('Hi');
    expect(answer.blocks.map(({ type, status }) => [type, status])).to.deep.equal([
      ['tool_call', 'error'],
      ['tool_call', 'error'],
    ]);
    expect(answer).to.include({ status: 'complete', finish: 'tool_use' });
    expect(answer.blocks[1]).to.have.nested.property('error.message', 'The page has no tool "unknown".');
    expect([run, server.asked.length, told.errors]).to.deep.equal([0, 1, []]);
  });

  it('invalid JSON arguments are passed on as text', async () => {
    const heard: unknown[] = [];
    const listening: ClientTool = { ...weather, execute: (args) => heard.push(args) };
    const cut = stream(callsOf(['a', 'weather', '{"city":"U'], ['b', 'weather', '']));
    const { chat } = makeChat([cut, done], { ...settings, tools: [listening] });
    await chat.send('Hi');
    expect(heard).to.deep.equal(['{"city":"U', {}]);
  });

  it('a stop aborts them, and sends nothing back', async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const endless: ClientTool = {
      ...weather,
      execute: (_args, { signal }) => {
        began.resolve(signal);
        return new Promise(() => undefined);
      },
    };
    const { chat, server } = makeChat([asks, done], { ...settings, tools: [endless] });
    const sent = chat.send('Hi');
    const signal = await began.promise;
    expect(signal.aborted).to.equal(false);
    chat.stop();
    expect(signal.aborted).to.equal(true);
    expect(calls(await sent)).to.deep.equal([['cancel', undefined]]);
    expect(server.asked).to.have.length(1);
  });
});

describe('a tool that needs approval', () => {
  const careful: ClientTool = { ...weather, needsApproval: (args) => (args as { city?: string }).city === 'Ulm' };
  const start = async () => {
    const { chat, server } = makeChat([asks, done], { ...settings, tools: [careful] });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    return { chat, server, sent };
  };

  it('is requested with its final arguments, and runs when granted', async () => {
    const { chat, server, sent } = await start();
    const block = pending(chat);
    expect(block).to.deep.include({ action_type: 'tool_call_permission', content: 'The weather of a city.' });
    expect(block.tool_call?.params).to.equal('{"city":"Ulm"}');
    expect(server.asked).to.have.length(1);
    void chat.respond(block.id, 'granted');
    const answer = await sent;
    expect(calls(answer)).to.deep.equal([['success', '{"args":{"city":"Ulm"},"celsius":21}']]);
    expect(answer.blocks.find(({ type }) => type === 'action')?.status).to.equal('granted');
    expect(server.asked).to.have.length(2);
  });

  it('does not run when denied, and the agent is informed, with the user’s reason', async () => {
    const { chat, server, sent } = await start();
    void chat.respond(pending(chat).id, 'denied', { note: 'Not Ulm.' });
    expect(calls(await sent)).to.deep.equal([['error', 'The user denied this call. They say: Not Ulm.']]);
    expect(sentBack(server.asked[1])[1]).to.deep.equal({
      role: 'tool',
      tool_call_id: 'c1',
      content: 'The user denied this call. They say: Not Ulm.',
    });
  });

  it('a second answer does nothing', async () => {
    const { chat, server, sent } = await start();
    const { id } = pending(chat);
    void chat.respond(id, 'granted');
    void chat.respond(id, 'denied');
    expect(calls(await sent)[0]).to.include('success');
    expect(server.asked).to.have.length(2);
  });

  it('is not requested if the arguments need no approval', async () => {
    const other = stream(callsOf(['c1', 'weather', '{"city":"Rom"}']));
    const { chat } = makeChat([other, done], { ...settings, tools: [careful] });
    const answer = await chat.send('Hi');
    expect(answer.blocks.map(({ type }) => type)).to.deep.equal(['tool_call', 'content']);
  });

  it('is requested for arguments that are no object, which the page’s function can’t judge', async () => {
    const other = stream(callsOf(['c1', 'weather', '["Rom"]']));
    const { chat } = makeChat([other, done], { ...settings, tools: [careful] });
    void chat.send('Hi');
    await until(chat, () => chat.status === 'awaiting-action');
    chat.stop();
  });

  describe('whose function judges the arguments', () => {
    const refund = {
      name: 'refund',
      description: 'Pays money back.',
      needsApproval: (args: unknown): boolean => (args as { amount: number }).amount > 100,
      execute: () => 'paid',
    };
    const parameters = {
      type: 'object',
      properties: {
        amount: { type: 'number' },
        count: { type: ['integer', 'null'] },
        to: { enum: ['Ann', 'Eve'] },
        at: { anyOf: [{ type: 'string' }, { type: 'array' }] },
        more: { $ref: '#/$defs/more' },
        gone: { $ref: '#/$defs/gone' },
      },
      required: ['amount'],
      $defs: { more: { type: 'string' } },
    };
    const isRequested = async (args: object, tool: object = { ...refund, parameters }): Promise<boolean> => {
      const calls = stream(callsOf(['c1', 'refund', JSON.stringify(args)]));
      const { chat } = makeChat([calls, done], { ...settings, tools: [tool as ClientTool] });
      const sent = chat.send('Hi');
      await Promise.race([sent, until(chat, isAsking)]);
      const isOpen = isAsking(chat);
      chat.stop();
      return isOpen;
    };

    for (const args of [
      { amount: '5000 EUR' },
      { amount: [50] },
      { amount: null },
      { amount: true },
      { count: 1 },
      { amount: 5, count: 1.5 },
      { amount: 5, to: 'Bob' },
      { amount: 5, at: 7 },
      { amount: 5, at: {} },
      { amount: 5, more: 7 },
      { amount: 5, gone: 'x' },
    ])
      it(`rule 131: is requested if its parameters exclude them: ${JSON.stringify(args)}`, async () => {
        expect(await isRequested(args)).to.equal(true);
      });

    for (const args of [
      { amount: 5 },
      { amount: 5, count: null, to: 'Eve', at: [], more: 'x', other: 1 },
      { amount: 5, count: 2, at: 'noon' },
    ])
      it(`is not requested if they include them: ${JSON.stringify(args)}`, async () => {
        expect(await isRequested(args)).to.equal(false);
      });

    it('is requested by the schema of a library, also if that fails', async () => {
      const [wrong, right] = [{ amount: '5' }, { amount: 5 }];
      const source = { toJSONSchema: () => parameters };
      const failing = { toJSONSchema: () => expect.fail('No JSON Schema') };
      expect(await isRequested(wrong, { ...refund, inputSchema: source })).to.equal(true);
      expect(await isRequested(right, { ...refund, inputSchema: source })).to.equal(false);
      expect(argumentsMatchSchema({ ...refund, parameters: failing }, right)).to.equal(false);
    });

    it('is not requested without a schema of its arguments', async () => {
      for (const given of [undefined, {}, { properties: {} }, { properties: { amount: true } }])
        expect(await isRequested({ amount: '5' }, { ...refund, ...(given && { parameters: given }) })).to.equal(false);
    });
  });

  it('rule 24: can’t be allowed permanently if its `question()` throws', async () => {
    const ran: unknown[] = [];
    const tool: ClientTool = {
      ...weather,
      needsApproval: true,
      question: (args) => `Pay ${(args as { amount: number }).amount.toFixed(2)}?`,
      execute: (args) => ran.push(args),
    };
    const pays = (amount: unknown) => stream(callsOf(['c1', 'weather', JSON.stringify({ amount })]));
    const { chat } = makeChat([pays('5'), done, pays('900000')], { ...settings, tools: [tool] });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    expect(isRememberable(pending(chat))).to.equal(false);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await sent;
    expect([ran, chat.approvals.list]).to.deep.equal([[{ amount: '5' }], []]);
    void chat.send('More');
    await until(chat, isAsking);
    chat.stop();
    expect(ran).to.have.length(1);
  });

  it('is asked about if `needsApproval` throws, and by its name if `question` returns a promise', async () => {
    const ran: unknown[] = [];
    const tool: ClientTool = {
      ...weather,
      needsApproval: () => {
        throw new Error('Unexpected arguments');
      },
      question: (() => Promise.resolve('Sure?')) as never,
      execute: (args) => ran.push(args),
    };
    const { chat } = makeChat([asks, done], { ...settings, tools: [tool] });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    expect([ran, pending(chat).extra?.['question'], isRememberable(pending(chat))]).to.deep.equal([
      [],
      undefined,
      false,
    ]);
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(ran).to.have.length(1);
  });

  it('messages sent meanwhile wait', async () => {
    const { chat, sent } = await start();
    const second = chat.send('And?');
    expect(chat.messages.at(-1)?.status).to.equal('queued');
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect((await second).status).to.equal('complete');
  });
});

describe('a permanent approval that the user revokes', () => {
  const asksTwice = stream(callsOf(['c1', 'weather', '{}'], ['c2', 'wipe', '{}']));
  const ran: string[] = [];
  const tool = (name: string, execute: () => unknown = () => ran.push(name)): ClientTool => ({
    ...weather,
    name,
    needsApproval: true,
    execute,
  });

  it('rule 24: does not run a call that waits for another answer: the call is asked about', async () => {
    ran.length = 0;
    const tools = [tool('weather'), tool('wipe')];
    const { chat } = makeChat([asks, done, asksTwice, done], { ...settings, tools });
    const first = chat.send('Hi');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    const sent = chat.send('Again');
    await until(chat, isAsking);
    expect(pending(chat).tool_call?.name).to.equal('wipe');
    chat.approvals.clear();
    void chat.respond(pending(chat).id, 'granted');
    await until(chat, isAsking);
    expect(pending(chat).tool_call?.name).to.equal('weather');
    expect(ran).to.deep.equal(['weather']);
    void chat.respond(pending(chat).id, 'denied');
    await sent;
    expect(ran).to.deep.equal(['weather', 'wipe']);
  });

  it('rule 24: does not run a call whose tool needs an approval only since another one was asked about', async () => {
    ran.length = 0;
    const { chat, set } = makeChat([asksTwice, done], {
      ...settings,
      tools: [{ ...tool('weather'), needsApproval: false }, tool('wipe')],
    });
    const sent = chat.send('Hi');
    await until(chat, isAsking);
    expect(pending(chat).tool_call?.name).to.equal('wipe');
    set({ tools: [tool('weather'), tool('wipe')] });
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(ran).to.deep.equal(['wipe']);
  });

  it('rule 24: does not answer a request of the server whose stream goes on', async () => {
    const going = Promise.withResolvers<undefined>();
    const asking = (end: Promise<unknown>) => () =>
      new Response(
        new ReadableStream<Uint8Array>({
          async start(controller) {
            const encode = (frame: object): void => {
              controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(frame)}\n\n`));
            };
            const permission_request = { toolName: 'wipe', serverName: '', permissionType: 'all', description: '' };
            encode({ tool_call: 'permission-required', tool_call_id: 'c', tool_call_name: 'wipe', permission_request });
            await end;
            encode(END);
            controller.close();
          },
        }),
        { headers: { 'content-type': 'text/event-stream' } },
      );
    const { chat, server } = makeChat(
      [asking(Promise.resolve()), stream(says(END)), asking(going.promise), stream(says(END))],
      { protocol: wireAgent },
    );
    const first = chat.send('Hi');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    void chat.send('Again');
    await until(chat, () => chat.messages.at(-1)?.blocks[0]?.status === 'granted' && server.asked.length === 3);
    chat.approvals.clear();
    going.resolve(undefined);
    await until(chat, () => isAsking(chat) || chat.status === 'idle');
    expect(server.asked).to.have.length(3);
    expect(pending(chat).tool_call?.name).to.equal('wipe');
    chat.stop();
  });

  it('rule 24: does not run the calls that wait for others to end', async () => {
    ran.length = 0;
    const going = Promise.withResolvers<undefined>();
    const many = Array.from({ length: 40 }, (_, index) => [`c${String(index)}`, 'weather', '{}'] as const);
    const started = Promise.withResolvers<undefined>();
    const execute = () => {
      if (ran.push('weather') === 1) return 'Fine';
      started.resolve(undefined);
      return going.promise;
    };
    const tools = [tool('weather', execute)];
    const { chat } = makeChat([asks, done, stream(callsOf(...many)), done], { ...settings, tools });
    const first = chat.send('Hi');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted', { remember: 'always' });
    await first;
    const sent = chat.send('Again');
    await started.promise;
    chat.approvals.clear();
    going.resolve(undefined);
    const reply = await sent;
    expect(ran.length).to.be.lessThan(40);
    expect(JSON.stringify(calls(reply).at(-1))).to.contain('withdrawn');
  });
});

describe('rule 100: many calls at once', () => {
  it('leave the user time to stop them', async () => {
    let ran = 0;
    const many = Array.from({ length: 500 }, (_, index) => [`c${String(index)}`, 'weather', '{}'] as const);
    const execute = (): string => {
      if (++ran === 1)
        setTimeout(() => {
          chat.stop();
        });
      return 'Fine';
    };
    const { chat } = makeChat([stream(callsOf(...many)), done], { ...settings, tools: [{ ...weather, execute }] });
    await chat.send('Hi');
    expect(ran).to.be.lessThan(500);
  });
});
