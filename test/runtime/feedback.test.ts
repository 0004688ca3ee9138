import { expect } from '@open-wc/testing';
import type { Feedback } from '../../src/model/feedback.ts';
import { feedbackOf } from '../../src/model/feedback.ts';
import type { Adapter } from '../../src/protocols/core/adapter.ts';
import { ProtocolRegistry } from '../../src/protocols/registry.ts';
import type { ChatSettings } from '../../src/runtime/chat-settings.ts';
import { makeChat, wordsOf, type Made } from './support/make-chat.ts';
import { status, stream, type Answerer } from './support/scripted-server.ts';
import { END, says, wireAgent } from './support/wire-agent.ts';

const reply = stream(says({ content: 'Hi' }, END));
const noted =
  (id: string): Answerer =>
  () =>
    new Response(JSON.stringify({ id }));

/** An agent that accepts feedback, and has an id for it. */
const rateable: Adapter = {
  ...wireAgent,
  feedback: ({ value, comment, id }, turn, { url }) => ({
    url: `${url}/feedback`,
    init: { body: { value, comment, id, of: turn.messages.length } },
  }),
};

async function answered(script: readonly Answerer[], settings: Parameters<typeof makeChat>[1] = {}): Promise<Made> {
  const made = makeChat([reply, ...script], { protocol: rateable, ...settings });
  await made.chat.send('Hello');
  return made;
}

const answerOf = ({ chat }: Made): string => chat.messages.at(-1)?.id ?? '';
const given = ({ chat }: Made): Feedback | undefined => {
  const last = chat.messages.at(-1);
  return last && feedbackOf(last);
};
const told = ({ server }: Made): readonly unknown[] => server.bodies.slice(1);

describe('feedback', () => {
  it('is stored in the message and sent to the server', async () => {
    const made = await answered([status(204)]);
    await made.chat.rate(answerOf(made), { value: 'up' });
    expect(given(made)).to.deep.equal({ value: 'up' });
    expect(told(made)).to.deep.equal([{ value: 'up', of: 2 }]);
  });

  it('that changes uses the server’s id of the rating, also if both are sent in parallel', async () => {
    const made = await answered([noted('f1'), noted('f1'), noted('f1')]);
    await Promise.all([
      made.chat.rate(answerOf(made), { value: 'down' }),
      made.chat.rate(answerOf(made), { value: 'down', comment: 'Wrong' }),
    ]);
    expect(given(made)).to.deep.equal({ value: 'down', comment: 'Wrong', id: 'f1' });
    await made.chat.rate(answerOf(made), undefined);
    expect(given(made)).to.equal(undefined);
    expect(told(made)).to.deep.equal([
      { value: 'down', of: 2 },
      { value: 'down', comment: 'Wrong', id: 'f1', of: 2 },
      { value: null, id: 'f1', of: 2 },
    ]);
  });

  it('rule 97: is sent without the ids of other agents’ servers', async () => {
    const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example`, protocol: 'wire' }));
    const protocols = new ProtocolRegistry();
    protocols.register({
      ...rateable,
      feedback: (_rating, { messages }, { url }) => ({
        url,
        init: { body: { sessions: messages.map(({ metadata }) => metadata?.['session']) } },
      }),
    });
    const by = (session: string): Answerer => stream(says({ content: 'Hi', metadata: { session } }, END));
    const made = makeChat([by('a'), by('b'), by('a'), status(204)], { agents, agent: 'a' }, { protocols });
    for (const agent of ['a', 'b', 'a']) {
      made.set({ agent });
      await made.chat.send('Hello');
    }
    await made.chat.rate(answerOf(made), { value: 'up' });
    expect(made.server.bodies.at(-1)).to.deep.equal({ sessions: [null, 'a', null, null, null, 'a'] });
  });

  it('is sent to the agent that has written the message, whichever of its messages it is about', async () => {
    const agents = ['a', 'b'].map((id) => ({ id, name: id, endpoint: `https://${id}.example`, protocol: 'wire' }));
    const protocols = new ProtocolRegistry();
    protocols.register(rateable);
    const two = stream(says({ message: { id: 'm' }, content: 'Hi' }, { message: { id: 'n' }, content: 'there' }, END));
    const made = makeChat([two, status(204)], { agents, agent: 'b' }, { protocols });
    await made.chat.send('Hello');
    expect(made.chat.messages.map(({ agentId }) => agentId)).to.deep.equal([undefined, 'b', 'b']);
    made.set({ agent: 'a' });
    await made.chat.rate(answerOf(made), { value: 'down', comment: 'Wrong' });
    expect(made.server.asked.map(({ url }) => new URL(url).host)).to.deep.equal(['b.example', 'b.example']);
    // Also if the page still names the agent that it no longer offers.
    for (const agent of ['a', 'b']) {
      made.set({ agents: agents.slice(0, 1), agent });
      await made.chat.rate(answerOf(made), { value: 'up' });
      expect(made.server.asked).to.have.length(2);
    }
  });

  it('rule 97: is not sent to another endpoint that the page sets, nor are the ids of the first one', async () => {
    const made = makeChat(
      [stream(says({ content: 'Hi', metadata: { session: 's' } }, END)), reply, status(204), status(204)],
      {
        endpoint: 'https://a.example/agent',
        protocol: {
          ...rateable,
          feedback: (_rating, { messages }, { url }) => ({
            url: `${url}/feedback`,
            init: { body: { of: messages.map(({ metadata }) => metadata?.['session']) } },
          }),
        },
      },
    );
    const { id } = await made.chat.send('Hello');
    made.set({ endpoint: 'https://b.example/agent' });
    await made.chat.rate(id, { value: 'down', comment: 'Wrong' });
    expect(made.server.asked).to.have.length(1);
    await made.chat.send('Hello');
    await made.chat.rate(answerOf(made), { value: 'up' });
    expect(made.server.asked.at(-1)?.url).to.equal('https://b.example/agent/feedback');
    expect(made.server.bodies.at(-1)).to.deep.equal({ of: [null, null, null, null] });
    made.set({ endpoint: 'https://a.example/agent' });
    await made.chat.rate(id, { value: 'up' });
    expect(made.server.asked.at(-1)?.url).to.equal('https://a.example/agent/feedback');
    expect(made.server.bodies.at(-1)).to.deep.equal({ of: [null, 's'] });
  });

  const switches = {
    'while an earlier one is on its way': 'before its request',
    'while its request is being built': 'in its request',
    'while its request is refused': 'after its request',
  } as const;
  for (const [name, moment] of Object.entries(switches))
    it(`rule 22: is not sent with the key of another user who signs in ${name}`, async () => {
      let user = 'alice';
      const guards = { ready: () => undefined, terms: () => undefined, owner: () => user };
      const earlier = Promise.withResolvers<Response>();
      const refused: Answerer = () => {
        user = 'bob';
        return new Response('', { status: 401 });
      };
      const script = [reply, ...(moment === 'before its request' ? [() => earlier.promise] : []), refused, status(204)];
      const headers = () => {
        if (moment === 'in its request' && made.server.asked.length === 1) user = 'bob';
        return { authorization: `Bearer key-of-${user}` };
      };
      const made: Made = makeChat(script, { protocol: rateable, headers: () => headers() }, { guards });
      await made.chat.send('Hello');
      const id = answerOf(made);
      const first = moment === 'before its request' ? made.chat.rate(id, { value: 'up' }) : undefined;
      const rated = made.chat.rate(id, { value: 'down', comment: 'Of my illness' });
      if (first) {
        await made.server.heard(2);
        user = 'bob';
        earlier.resolve(new Response(null, { status: 204 }));
      }
      await Promise.all([first, rated]);
      const sent = made.server.asked.slice(1);
      expect(sent.map(({ init }) => new Headers(init.headers).get('authorization'))).to.deep.equal(
        moment === 'in its request' ? [] : ['Bearer key-of-alice'],
      );
      expect(made.told.errors).to.deep.equal([]);
    });

  it('that the server rejects is not stored', async () => {
    const made = await answered([status(500), status(204)]);
    let kind: unknown;
    await made.chat.rate(answerOf(made), { value: 'up' }).catch((error: unknown) => {
      ({ kind } = error as { readonly kind: unknown });
    });
    expect([kind, given(made)]).to.deep.equal(['http', undefined]);
    await made.chat.rate(answerOf(made), { value: 'up' });
    expect(given(made)).to.deep.equal({ value: 'up' });
  });

  it('that the server rejects is not stored either if the message changes meanwhile', async () => {
    let refuse: (response: Response) => void = () => undefined;
    const refused = (): Promise<Response> =>
      new Promise((resolve) => {
        refuse = resolve;
      });
    const made = await answered([status(204), refused]);
    const id = answerOf(made);
    await made.chat.rate(id, { value: 'down', comment: 'Wrong' });
    const rated = made.chat.rate(id, { value: 'up' }).catch(() => undefined);
    await made.server.heard(3);
    made.chat.updateMessage(id, { metadata: { ...made.chat.messages.at(-1)?.metadata, note: 1 } });
    refuse(new Response('', { status: 500 }));
    await rated;
    expect(made.chat.messages.at(-1)?.metadata).to.deep.equal({
      note: 1,
      feedback: { value: 'down', comment: 'Wrong' },
    });
  });

  it('is the last one that the server has accepted, if it rejects two', async () => {
    const made = await answered([status(500)]);
    const id = answerOf(made);
    const rates = [made.chat.rate(id, { value: 'up' }), made.chat.rate(id, { value: 'down' })];
    expect((await Promise.allSettled(rates)).map((result) => result.status)).to.deep.equal(['rejected', 'rejected']);
    expect(given(made)).to.equal(undefined);
  });

  it('stays local if the protocol has no feedback, and is sent without the page’s body', async () => {
    const alone = await answered([], { protocol: wireAgent });
    await alone.chat.rate(answerOf(alone), { value: 'up' });
    expect([given(alone), alone.server.asked.length]).to.deep.equal([{ value: 'up' }, 1]);
    const made = await answered([status(204)], { body: { tenant: 1 } });
    await made.chat.rate(answerOf(made), { value: 'up' });
    expect(told(made)).to.deep.equal([{ value: 'up', of: 2 }]);
  });

  it('passes the page’s redaction, and is for replies only', async () => {
    const made = await answered([status(204)], { redact: (text) => text.replaceAll('4711', '…') });
    await made.chat.rate(answerOf(made), { value: 'down', comment: 'My PIN is 4711' });
    expect(told(made)).to.deep.equal([{ value: 'down', comment: 'My PIN is …', of: 2 }]);
    await made.chat.rate(made.chat.messages[0]?.id ?? '', { value: 'up' });
    expect(made.server.asked).to.have.length(2);
  });

  it('has the user’s messages as `redact` changes them', async () => {
    const protocol: Adapter = {
      ...rateable,
      feedback: (_rating, { messages }, { url }) => ({ url, init: { body: { texts: messages.map(wordsOf) } } }),
    };
    const made = makeChat([reply, status(204)], { protocol, redact: (text) => text.replaceAll('4711', '…') });
    await made.chat.send('My PIN is 4711');
    await made.chat.rate(answerOf(made), { value: 'up' });
    expect(told(made)).to.deep.equal([{ texts: [['My PIN is …'], ['Hi']] }]);
  });

  it('is not sent if `redact` returns no text', async () => {
    const made = await answered([status(204)]);
    made.set({ redact: (() => undefined) as unknown as NonNullable<ChatSettings['redact']> });
    const rated = made.chat.rate(answerOf(made), { value: 'down', comment: 'My PIN is 4711' });
    expect(await rated.catch((error: unknown) => (error as Error).message)).to.contain('redact');
    expect(made.server.asked).to.have.length(1);
  });

  it('in the page’s own history is restored if the protocol has it', () => {
    const message = { id: 'a', role: 'assistant', status: 'complete', blocks: [], timestamp: 0 } as const;
    const rows = [
      { feedback: { value: 'up', comment: 'Good' }, expected: { value: 'up', comment: 'Good' } },
      { feedback: { value: 'down', comment: 5, id: {} }, expected: { value: 'down' } },
      { feedback: { value: 'sideways' }, expected: undefined },
      { feedback: 'up', expected: undefined },
      { feedback: null, expected: undefined },
    ];
    for (const { feedback, expected } of rows)
      expect(feedbackOf({ ...message, metadata: { feedback } })).to.deep.equal(expected);
  });
});
