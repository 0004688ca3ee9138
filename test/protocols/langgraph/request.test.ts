import { expect } from '@open-wc/testing';
import type { MessageInput } from '../../../src/conversation/normalize-message.ts';
import { ChatError } from '../../../src/errors.ts';
import type { Answer, RequestOptions, Turn, WireRequest } from '../../../src/protocols/core/adapter.ts';
import { adapter as langgraph } from '../../../src/protocols/langgraph/langgraph.ts';
import type { RunState } from '../../../src/protocols/langgraph/run-location.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, system, toolBlock, user, type LooseBlock } from '../../support/messages.ts';
import { decodeContext, emptyTurn, requestOptions } from '../../support/play-body.ts';

const BASE = 'https://a.example/api';
const STATELESS = `${BASE}/runs/stream`;
const THREAD = `${BASE}/threads/t1/runs/stream`;
const MODES = { stream_mode: ['messages-tuple', 'values', 'updates', 'custom'] };
const KEPT = { stream_resumable: true, if_not_exists: 'create' };

const turnOf = (messages: readonly MessageInput[], answers: readonly Answer[] = []): Turn => ({
  ...emptyTurn,
  messages: conversation(...messages),
  answers,
});
const build = async (
  url: string,
  turn: Turn,
  options: Partial<RequestOptions> & { readonly providerState?: RunState | undefined } = {},
): Promise<WireRequest<RunState>> => langgraph.request(turn, { ...requestOptions, url, ...options });
const bodyOf = ({ init }: WireRequest): Record<string, unknown> =>
  JSON.parse(JSON.stringify(init.body)) as Record<string, unknown>;
const inputOf = async (
  url: string,
  messages: readonly MessageInput[],
  options: Partial<RequestOptions> = {},
): Promise<unknown> => bodyOf(await build(url, turnOf(messages), options))['input'];

const human = (id: string, content: unknown): object => ({ type: 'human', id, content });
const answer = (requestId: string, more: Partial<Answer> & { index?: number }): Answer => {
  const { index, ...rest } = more;
  return {
    decision: 'granted',
    blockId: 'b',
    actionType: 'interrupt',
    extra: { requestId, ...(index !== undefined && { index }) },
    ...rest,
  };
};
/** A reply that waits. */
const waiting = (interrupts: readonly object[], blocks: readonly LooseBlock[] = []): MessageInput =>
  assistant(blocks, { metadata: { threadId: 't1', runId: 'r1', interrupts, calls: [] } });

describe('langgraph, request', () => {
  it('sends a stateless run the complete history', async () => {
    const turn = turnOf([
      system('Be brief.'),
      user('hi'),
      assistant([toolBlock('c', 'f', '{"a":1}', 'no', true), { type: 'content', content: 'Done' }]),
      user('more'),
    ]);
    const sent = await build(STATELESS, turn, { system: 'Be kind.', context: { page: 2 } });
    expect(sent.url).to.equal(STATELESS);
    expect(bodyOf(sent)).to.deep.equal({
      assistant_id: 'agent',
      input: {
        messages: [
          {
            type: 'system',
            id: 'agent-chat-system',
            content: 'Be kind.\n\nContext of the page the user is on:\n{"page":2}',
          },
          { type: 'system', id: 'm1', content: 'Be brief.' },
          human('m2', 'hi'),
          { type: 'ai', content: '', tool_calls: [{ id: 'c', name: 'f', args: { a: 1 }, type: 'tool_call' }] },
          { type: 'tool', tool_call_id: 'c', name: 'f', content: 'no', status: 'error' },
          { type: 'ai', content: 'Done' },
          human('m4', 'more'),
        ],
      },
      ...MODES,
    });
  });

  it('sends a thread only the new message', async () => {
    const sent = await build(
      `${THREAD}?key=k&assistant_id=other`,
      turnOf([user('hi'), assistant('Hello'), user('more')]),
    );
    expect(sent.url).to.equal(`${THREAD}?key=k`);
    expect(bodyOf(sent)).to.deep.equal({
      assistant_id: 'other',
      input: { messages: [human('m3', 'more')] },
      ...MODES,
      ...KEPT,
    });
  });

  it('the page’s headers win', async () => {
    const sent = await build(THREAD, turnOf([user('hi')]), { headers: { accept: 'x/y', 'x-api-key': 'k' } });
    expect(sent.init.headers).to.deep.equal({ accept: 'x/y', 'x-api-key': 'k' });
  });

  it('sends attachments in the forms of both languages', async () => {
    const attachments = [
      { kind: 'image', data: 'AA', mimeType: 'image/png' },
      { kind: 'image', url: 'https://a.example/p.png' },
      { kind: 'file', data: 'CC', mimeType: 'application/pdf', name: 'a.pdf' },
      { kind: 'audio', url: 'https://a.example/s.mp3' },
    ] as const;
    expect(await inputOf(THREAD, [user('look', { attachments })])).to.deep.equal({
      messages: [
        human('m1', [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'image_url', image_url: { url: 'https://a.example/p.png' } },
          {
            type: 'file',
            source_type: 'base64',
            data: 'CC',
            mime_type: 'application/pdf',
            metadata: { filename: 'a.pdf' },
          },
          { type: 'audio', source_type: 'url', url: 'https://a.example/s.mp3' },
        ]),
      ],
    });
  });

  it('creates a thread at a base URL, once, with the page’s headers, and stores its id with the reply', async () => {
    const asked: WireRequest[] = [];
    const ask: RequestOptions['ask'] = (request) => {
      asked.push(request);
      return Promise.resolve({ headers: new Headers(), json: { thread_id: 't 9' } });
    };
    const turn = turnOf([user('old'), assistant('Old'), user('hi')]);
    const options = { ask, headers: { 'x-api-key': 'k' } };
    const sent = await build(BASE, turn, options);
    const again = await build(BASE, turn, { ...options, providerState: sent.providerState });
    expect(asked).to.deep.equal([
      { url: `${BASE}/threads`, init: { method: 'POST', headers: { 'x-api-key': 'k' }, body: {} } },
    ]);
    expect(sent.url).to.equal(`${BASE}/threads/t%209/runs/stream`);
    expect(bodyOf(sent)['input'], 'a new thread knows nothing').to.deep.equal({
      messages: [human('m1', 'old'), { type: 'ai', content: 'Old' }, human('m3', 'hi')],
    });
    expect(again, 'and nothing more when it is tried again').to.deep.equal(sent);

    const providerState = {};
    const frame = { event: 'metadata', data: '{"run_id":"r"}' };
    const context = { ...decodeContext(), turn, providerState: again.providerState };
    for await (const events of langgraph.decode(chunksOf([[frame]]), context)) {
      for (const event of events) if (event.type === 'response') Object.assign(providerState, event.data.metadata);
    }
    expect(providerState).to.include({ threadId: 't 9', runId: 'r' });
    const next = await build(
      BASE,
      turnOf([user('hi'), assistant('Hello', { metadata: providerState }), user('more')]),
      options,
    );
    expect(asked).to.have.length(1);
    expect(next.url).to.equal(`${BASE}/threads/t%209/runs/stream`);
    expect(bodyOf(next)['input']).to.deep.equal({ messages: [human('m3', 'more')] });
  });

  it('creates a new thread for a fork: the old one has the old text', async () => {
    const ask: RequestOptions['ask'] = () => Promise.resolve({ headers: new Headers(), json: { thread_id: 'new' } });
    const kept = turnOf([user('hi'), assistant('Hello', { metadata: { threadId: 't1' } }), user('more')]);
    const forks = [undefined, { by: 'edit' }, { by: 'regenerate' }] as const;
    const urls = await Promise.all(forks.map(async (fork) => (await build(BASE, { ...kept, fork }, { ask })).url));
    expect(urls).to.deep.equal(['t1', 'new', 'new'].map((id) => `${BASE}/threads/${id}/runs/stream`));
  });

  it('reports that a server creates no thread', async () => {
    const ask: RequestOptions['ask'] = () => Promise.resolve({ headers: new Headers(), json: {} });
    expect(await build(BASE, turnOf([user('hi')]), { ask }).catch((error: unknown) => error)).to.be.instanceOf(
      ChatError,
    );
  });

  it('sends the results of the page’s tools as messages', async () => {
    const blocks = [
      toolBlock('a', 'f', '{}', 'ok'),
      toolBlock('b', 'g', '{}', 'no', true),
      toolBlock('c', 'h', '{}', 'server’s'),
    ];
    expect(
      await inputOf(THREAD, [user('hi'), assistant(blocks, { metadata: { interrupts: [], calls: ['a', 'b'] } })]),
    ).to.deep.equal({
      messages: [
        { type: 'tool', tool_call_id: 'a', name: 'f', content: 'ok', status: 'success' },
        { type: 'tool', tool_call_id: 'b', name: 'g', content: 'no', status: 'error' },
      ],
    });
  });

  describe('of answers', () => {
    const resumeOf = async (
      interrupts: readonly object[],
      answers: readonly Answer[],
      blocks: readonly LooseBlock[] = [],
    ): Promise<unknown> => {
      const body = bodyOf(await build(THREAD, turnOf([user('hi'), waiting(interrupts, blocks)], answers)));
      expect(body).not.to.have.property('input');
      return (body['command'] as Record<string, unknown>)['resume'];
    };

    const actionCard = (name: string, more: LooseBlock = {}): LooseBlock => ({
      id: name,
      type: 'action',
      action_type: 'tool_call_permission',
      status: 'granted',
      tool_call: { id: name, name, params: '{}' },
      ...more,
    });

    for (const [name, given, card] of [
      ['another tool', {}, actionCard('g')],
      ['another tool, with changed arguments', { arguments: { a: 2 } }, actionCard('g')],
      ['no tool', { payload: { type: 'approve' } }, actionCard('f', { action_type: 'question', content: 'Like it?' })],
    ] as const) {
      it(`rule 83: refuses a stored action whose card shows ${name}`, async () => {
        const open = [{ kind: 'actions', id: 'i', names: ['f'] }];
        const resume = await resumeOf(open, [answer('i', { index: 0, blockId: card.id ?? '', ...given })], [card]);
        expect(resume).to.deep.equal({ decisions: [{ type: 'reject' }] });
      });
    }

    it('contains a decision for each action, in order', async () => {
      const edited = { name: 'g', args: { a: 2 } };
      expect(
        await resumeOf(
          [{ kind: 'actions', id: 'i', names: ['f', 'g', 'h'] }],
          [
            answer('i', { index: 2, blockId: 'h', decision: 'denied', note: 'Too far' }),
            answer('i', { index: 0, blockId: 'f' }),
            answer('i', { index: 1, blockId: 'g', arguments: { a: 2 } }),
          ],
          ['f', 'g', 'h'].map((name) => actionCard(name)),
        ),
      ).to.deep.equal({
        decisions: [
          { type: 'approve' },
          { type: 'edit', edited_action: edited, editedAction: edited },
          { type: 'reject', message: 'Too far' },
        ],
      });
    });

    it('sends one value unchanged, several by their ids', async () => {
      const one = { kind: 'value', id: 'a' };
      expect(await resumeOf([one], [answer('a', { decision: 'answered', payload: { x: 1 } })])).to.deep.equal({ x: 1 });
      expect(await resumeOf([one], [answer('a', {})])).to.equal(true);
      expect(
        await resumeOf(
          [one, { kind: 'value', id: 'b' }],
          [answer('b', { decision: 'denied' }), answer('a', { decision: 'answered', payload: 'x' })],
        ),
      ).to.deep.equal({ a: 'x', b: false });
    });

    it('sends the result of a page tool, by its call', async () => {
      const open = [{ kind: 'tool', id: 'i', callId: 'c' }];
      expect(await resumeOf(open, [], [toolBlock('c', 'f', '{}', '{"at":1}')])).to.deep.equal({ c: { at: 1 } });
      expect(await resumeOf(open, [], [toolBlock('c', 'f', '{}', 'Broken', true)])).to.deep.equal({
        c: { error: 'Broken' },
      });
    });

    const atBreakpoint = (given: Partial<Answer>, shown: object, requestId = 'breakpoint') =>
      turnOf(
        [
          user('hi'),
          waiting(
            [{ kind: 'breakpoint', id: 'breakpoint' }],
            [{ id: 'b', type: 'action', status: 'granted', ...shown }],
          ),
        ],
        [answer(requestId, given)],
      );

    for (const [name, turn] of [
      ['denied', atBreakpoint({ decision: 'denied' }, { action_type: 'confirmation' })],
      ['answered in a question with other text', atBreakpoint({}, { action_type: 'confirmation', content: 'Ok?' })],
      ['not asked about', atBreakpoint({}, { action_type: 'confirmation' }, 'other')],
    ] as const) {
      it(`rule 84: does not continue from a breakpoint that was ${name}`, async () => {
        expect(await build(THREAD, turn).catch((error: unknown) => error)).to.be.instanceOf(ChatError);
      });
    }

    it('continues from a breakpoint without input', async () => {
      const turn = atBreakpoint({}, { action_type: 'confirmation' });
      expect(bodyOf(await build(THREAD, turn)))
        .to.include({ input: null })
        .and.not.to.have.property('command');
    });

    it('reports that a stateless run can’t be answered', async () => {
      const turn = turnOf([user('hi'), waiting([{ kind: 'value', id: 'a' }])], [answer('a', {})]);
      expect(await build(STATELESS, turn).catch((error: unknown) => error)).to.be.instanceOf(ChatError);
    });

    it('sends a new message as such if the question was left open', async () => {
      const messages = [user('hi'), waiting([{ kind: 'value', id: 'a' }]), user('other')];
      expect(await inputOf(THREAD, messages)).to.deep.equal({ messages: [human('m3', 'other')] });
    });
  });

  describe('of v2', () => {
    const EVENTS = `${BASE}/threads/t1/stream/events`;
    const commandOf = async (turn: Turn, body?: Record<string, unknown>): Promise<unknown> => {
      const sent = await build(EVENTS, turn, { body });
      expect(sent.url).to.equal(EVENTS);
      expect(bodyOf(sent)['channels']).to.include.members(['messages', 'values', 'lifecycle', 'input']);
      expect(sent.trigger?.url).to.equal(`${BASE}/threads/t1/commands`);
      return JSON.parse(JSON.stringify(sent.trigger?.init.body));
    };

    it('opens the event stream and starts the run by a command, with the page’s assistant', async () => {
      const params = { input: { messages: [human('m1', 'hi')] } };
      expect(await commandOf(turnOf([user('hi')]))).to.deep.equal({
        id: 1,
        method: 'run.start',
        params: { assistant_id: 'agent', ...params },
      });
      expect(await commandOf(turnOf([user('hi')]), { assistant_id: 'x' })).to.deep.equal({
        id: 1,
        method: 'run.start',
        params: { assistant_id: 'x', ...params },
      });
    });

    it('answers by a command', async () => {
      const one = [{ kind: 'value', id: 'a' }];
      expect(await commandOf(turnOf([user('hi'), waiting(one)], [answer('a', {})]))).to.deep.equal({
        id: 1,
        method: 'input.respond',
        params: { interrupt_id: 'a', response: true },
      });
      const two = [...one, { kind: 'value', id: 'b' }];
      expect(
        await commandOf(turnOf([user('hi'), waiting(two)], [answer('a', {}), answer('b', { decision: 'denied' })])),
      ).to.deep.equal({
        id: 1,
        method: 'input.respond',
        params: {
          responses: [
            { interrupt_id: 'a', response: true },
            { interrupt_id: 'b', response: false },
          ],
        },
      });
    });
  });

  describe('of a running run', () => {
    const options = { ...requestOptions, url: THREAD, headers: { 'x-api-key': 'k' } };
    const running = turnOf([user('hi'), assistant('Half', { status: 'streaming', metadata: { runId: 'r 1' } })]);

    it('stops it', () => {
      expect(langgraph.cancel?.(running, options)).to.deep.equal({
        url: `${BASE}/threads/t1/runs/r%201/cancel?wait=0&action=interrupt`,
        init: { method: 'POST', headers: { 'x-api-key': 'k' } },
      });
      expect(langgraph.cancel?.(running, { ...options, url: STATELESS }), 'no thread').to.equal(undefined);
      expect(langgraph.cancel?.(turnOf([user('hi')]), options), 'no run yet').to.equal(undefined);
    });

    it('resumes it after the last event, or from the start', async () => {
      for (const [lastEventId, from, header] of [
        ['7', 'last', '7'],
        [undefined, 'start', '-1'],
      ] as const) {
        const resumption = await langgraph.resume?.(running, { ...options, lastEventId });
        expect(resumption?.from).to.equal(from);
        expect(resumption?.request.url).to.equal(`${BASE}/threads/t1/runs/r%201/stream`);
        expect(resumption?.request.init).to.deep.equal({
          method: 'GET',
          headers: { accept: 'text/event-stream', 'Last-Event-ID': header, 'x-api-key': 'k' },
        });
      }
      expect(await langgraph.resume?.(turnOf([user('hi')]), options)).to.equal(undefined);
    });
  });
});
