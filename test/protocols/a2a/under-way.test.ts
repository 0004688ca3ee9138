import { expect } from '@open-wc/testing';
import { nextRound, reduceRun } from '../../../src/conversation/run.ts';
import { adapter as a2a } from '../../../src/protocols/a2a/a2a.ts';
import type { A2aAgent } from '../../../src/protocols/a2a/card.ts';
import type { Turn, WireRequest } from '../../../src/protocols/core/adapter.ts';
import { toAgentEvent } from '../../../src/protocols/to-agent-event.ts';
import { chunksOf } from '../../support/cuts.ts';
import { conversation, user } from '../../support/messages.ts';
import { decodeContext, emptyRun, framesOf, NOW } from '../../support/play-body.ts';
import { answer, methodOf, optionsAt, paramsOf, replied, turnOf } from './server.ts';
import { artifact, rpc, agentMessage, status, task, textParts } from './streams.ts';

/** The metadata of a reply after these frames in the response to its own request. */
async function afterReply(
  turn: Turn,
  { providerState }: WireRequest<A2aAgent>,
  ...frames: readonly unknown[]
): Promise<Turn> {
  let run = emptyRun();
  for await (const events of a2a.decode(chunksOf([framesOf(...frames)]), { ...decodeContext(), turn, providerState })) {
    for (const event of events) run = reduceRun(run, toAgentEvent(event, 'reply'), { now: NOW, newId: () => 'n' });
  }
  return { ...turn, text: '', messages: [...turn.messages, ...run.messages] };
}

describe('a2a, a running reply', () => {
  const card = 'https://a.example/.well-known/agent-card.json';
  const at = (protocolBinding: string, protocolVersion: string) => ({
    [card]: {
      supportedInterfaces: [{ url: 'https://a.example/a2a', protocolBinding, protocolVersion }],
      capabilities: { streaming: true },
    },
  });
  const working = [task('WORKING'), artifact('a', textParts('Half'))];

  for (const [binding, version, cancelled, subscribed, from] of [
    ['JSONRPC', '1.0', 'CancelTask', 'SubscribeToTask', 'start'],
    ['JSONRPC', '0.3', 'tasks/cancel', 'tasks/resubscribe', 'last'],
    ['HTTP+JSON', '1.0', '/a2a/tasks/T:cancel', '/a2a/tasks/T:subscribe', 'start'],
    ['HTTP+JSON', '0.3', '/a2a/v1/tasks/T:cancel', '/a2a/v1/tasks/T:subscribe', 'last'],
  ] as const) {
    it(`is cancelled and resumed at its interface, by ${binding} ${version}`, async () => {
      const state = version === '1.0' ? rpc({ id: 'T', status: { state: 'TASK_STATE_WORKING' } }) : working[0];
      const get =
        binding === 'JSONRPC' ? 'https://a.example/a2a' : `https://a.example${cancelled.replace(':cancel', '')}`;
      const { options } = optionsAt(card, { ...at(binding, version), [get]: state });
      const turn = turnOf([user('hi')]);
      const sent = await a2a.request(turn, options);
      const under = await afterReply(turn, sent, ...working.map((frame) => (version === '0.3' ? toOld(frame) : frame)));
      const nameOf = (request: WireRequest | undefined): unknown =>
        request && (binding === 'JSONRPC' ? methodOf(request) : new URL(request.url).pathname);
      expect(nameOf(await a2a.cancel?.(under, options))).to.equal(cancelled);
      const resumption = await a2a.resume?.(under, options);
      expect(nameOf(resumption?.request)).to.equal(subscribed);
      expect(resumption?.from).to.equal(from);
      expect(resumption?.request.providerState, 'its decoder knows whom it hears').to.deep.equal(sent.providerState);
    });
  }

  it('fetches a finished task, and shows it completely', async () => {
    const done = rpc({ id: 'T', status: { state: 'TASK_STATE_COMPLETED' } });
    const { options } = optionsAt(card, { ...at('JSONRPC', '1.0'), 'https://a.example/a2a': done });
    const turn = turnOf([user('hi')]);
    const sent = await a2a.request(turn, options);
    const resumption = await a2a.resume?.(await afterReply(turn, sent, ...working), options);
    expect(resumption && methodOf(resumption.request)).to.equal('GetTask');
    expect(resumption?.from).to.equal('start');
  });

  it('can’t be cancelled or resumed before its task is known, nor with the task of an earlier turn', async () => {
    const { options } = optionsAt('https://a.example/rpc');
    const turn = turnOf([user('hi'), replied('working', { url: 'https://a.example/rpc' }), user('more')]);
    expect(await a2a.cancel?.(turn, options)).to.equal(undefined);
    expect(await a2a.resume?.(turn, options)).to.equal(undefined);
  });

  it('reads its card again for an answer, which is sent to the task that asked', async () => {
    const { asked, options } = optionsAt(card, at('JSONRPC', '1.0'));
    const turn = turnOf([user('hi')]);
    const sent = await a2a.request(turn, options);
    const waiting = await afterReply(turn, sent, status('INPUT_REQUIRED', agentMessage('q', 'Where?')));
    const next = await a2a.request({ ...waiting, answers: [answer({ payload: 'Rome' })] }, options);
    expect(asked.map(({ url }) => url)).to.deep.equal([card, card]);
    expect(paramsOf(next).message).to.deep.include({ taskId: 'T', contextId: 'C', parts: [{ text: 'Rome' }] });
  });

  it('continues with its first interface, as long as the card names it', async () => {
    const [first, second] = ['https://a.example/first', 'https://a.example/second'];
    const cardOf = (...urls: readonly string[]) => ({
      [card]: {
        supportedInterfaces: urls.map((url) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' })),
        capabilities: { streaming: true },
      },
    });
    const turn = turnOf([user('hi')]);
    const sent = await a2a.request(turn, optionsAt(card, cardOf(first)).options);
    const under = await afterReply(turn, sent, ...working);
    const stopped = async (...urls: readonly string[]) =>
      (await a2a.cancel?.(under, optionsAt(card, cardOf(...urls)).options))?.url;
    expect(await stopped(second, first)).to.equal(first);
    expect(await stopped(second)).to.equal(second);
  });

  it('shows a text once, however often the server sends it', async () => {
    const turn = turnOf([user('hi')]);
    const context = { now: NOW, newId: () => crypto.randomUUID() };
    let run = emptyRun();
    for (const frames of [
      [status('INPUT_REQUIRED', agentMessage('q', 'Where?')), artifact('a', textParts('One'))],
      [
        task('WORKING', { artifacts: [{ artifactId: 'a', parts: textParts('One') }] }),
        artifact('a', textParts(' two'), { append: true }),
      ],
      [artifact('a', textParts('.'), { append: true }), artifact('b', textParts('Three')), status('COMPLETED')],
    ]) {
      for await (const events of a2a.decode(chunksOf([framesOf(...frames)]), { ...decodeContext(), turn })) {
        for (const event of events) run = reduceRun(run, toAgentEvent(event, 'reply'), context);
      }
      run = nextRound(run);
    }
    const shown = run.messages.map(({ blocks }) =>
      blocks.map((block) => ('content' in block ? block.content : '')).join(''),
    );
    expect(shown).to.deep.equal(['Where?', 'One two.', 'Three']);
  });

  it('continues in the other version after an unsupported one', async () => {
    const { options } = optionsAt('https://a.example/rpc');
    const turn = turnOf([user('hi')]);
    const sent = await a2a.request(turn, options);
    const refused = await afterReply(turn, sent, {
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32601, message: 'Method not found' },
    });
    const error = refused.messages.flatMap(({ blocks }) => blocks).find(({ type }) => type === 'error');
    expect(error).to.deep.include({ type: 'error', extra: { code: '-32601' } });
    expect(error && 'content' in error && error.content)
      .to.contain('0.3')
      .and.contain('1.0');
    const again = {
      ...refused,
      text: 'hi',
      messages: [...refused.messages, ...conversation(user('hi', { id: 'u2' }))],
    };
    expect(methodOf(await a2a.request(again, options))).to.equal('SendStreamingMessage');
  });
});

/** The same in 0.3. */
function toOld(frame: unknown): unknown {
  const { result } = frame as { result: Record<string, object> };
  const [name = '', value = {}] = Object.entries(result)[0] ?? [];
  return rpc({ ...value, kind: { task: 'task', artifactUpdate: 'artifact-update' }[name] });
}
