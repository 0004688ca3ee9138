import { expect } from '@open-wc/testing';
import type { AgentResponse, AgentMessage } from '../../src/model/agent-message.ts';
import { bareMessage, type ExpectedFields } from '../support/bare.ts';
import { chunksOf } from '../support/cuts.ts';
import { isAsking, lines, makeChat, pending, until, type Made } from '../runtime/support/make-chat.ts';
import { agentOf, piece, say } from './support/agent.ts';

/** A chat with an agent of the page, which answers as the test says, and no endpoint. */
const chatWith = (answer: Parameters<typeof agentOf>[1] & object): Made =>
  makeChat([], { endpoint: undefined, agents: [agentOf('a', answer)] });

const saying = (...pieces: readonly AgentResponse[]): Made => chatWith({ answer: () => chunksOf(pieces) });

async function blocksOf(...pieces: readonly AgentResponse[]): Promise<unknown> {
  const { chat } = saying(...pieces);
  return bareMessage(await chat.send('Hi'))['blocks'];
}

interface Row {
  readonly name: string;
  readonly pieces: readonly AgentResponse[];
  readonly blocks: readonly ExpectedFields[];
}

const code = { language: 'ts', content: 'x()' };
const command = { success: true, output: 'ok', exitCode: 0 };
const file = { name: 'a.txt', content: 'A', mimeType: 'text/plain' };
const progress = (current: number) => ({ current, total: 2, message: 'Reading' });
const custom = (data: unknown): ExpectedFields => ({ type: 'data', data: { data_type: 'custom', data } });
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Source: DeepChat strong-typed events, section 8, "`AgentResponse` -> block". */
const rows: readonly Row[] = [
  { name: 'text, gone on with', pieces: [say('Hel'), say('lo.')], blocks: [{ type: 'content', content: 'Hello.' }] },
  { name: 'code', pieces: [piece('code', { code })], blocks: [{ type: 'code', code }] },
  {
    name: 'an image and a file whose bytes are a data URL, as a `FileReader` returns it',
    pieces: [
      piece('image', { image: { data: `data:image/png;base64,${PIXEL}`, mimeType: 'image/png' } }),
      piece('file', {
        file: { name: 'a.pdf', content: 'data:application/pdf;base64,JVBERi0=', mimeType: 'application/pdf' },
      }),
    ],
    blocks: [
      { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } },
      {
        type: 'file',
        file: { name: 'a.pdf', content: 'JVBERi0=', mimeType: 'application/pdf' },
        name: 'a.pdf',
        mimeType: 'application/pdf',
      },
    ],
  },
  {
    name: 'code with an error',
    pieces: [piece('code', { code: { ...code, error: 'No x.' } })],
    blocks: [{ type: 'code', status: 'error', code: { ...code, error: 'No x.' } }],
  },
  {
    name: 'data as CSV → a table',
    pieces: [piece('data', { data: { format: 'csv', content: 'a,b\r\n1,"x, ""y"""\n' } })],
    blocks: [
      { type: 'data', data: { data_type: 'dataframe', data: { columns: ['a', 'b'], rows: [['1', 'x, "y"']] } } },
    ],
  },
  {
    name: 'data as CSV that is a list of rows already → a table',
    pieces: [
      piece('data', {
        data: {
          format: 'csv',
          content: [
            ['a', 'b'],
            [1, 2],
          ],
        },
      }),
    ],
    blocks: [{ type: 'data', data: { data_type: 'dataframe', data: { columns: ['a', 'b'], rows: [[1, 2]] } } }],
  },
  {
    name: 'data that is no text, in a format of its own',
    pieces: [piece('data', { data: { format: 'quotes', content: { price: 7 } } })],
    blocks: [custom({ price: 7 })],
  },
  {
    name: 'data with a visualization → a chart',
    pieces: [piece('data', { data: { format: 'json', content: '[1,2]', visualization: { type: 'line' } } })],
    blocks: [{ type: 'data', data: { data_type: 'chart', data: { type: 'line', data: [1, 2] } } }],
  },
  {
    name: 'data as JSON',
    pieces: [piece('data', { data: { format: 'json', content: '{"a":1}' } })],
    blocks: [custom({ a: 1 })],
  },
  {
    name: 'data as JSON that is none',
    pieces: [piece('data', { data: { format: 'json', content: '{"a":' } })],
    blocks: [custom('{"a":')],
  },
  {
    name: 'data in another format',
    pieces: [piece('data', { data: { format: 'yaml', content: 'a: 1' } })],
    blocks: [custom('a: 1')],
  },
  {
    name: 'a command’s result',
    pieces: [piece('command_result', { commandResult: command })],
    blocks: [{ type: 'command_result', commandResult: command }],
  },
  {
    name: 'a command that failed',
    pieces: [piece('command_result', { commandResult: { ...command, success: false } })],
    blocks: [{ type: 'command_result', status: 'error', commandResult: { ...command, success: false } }],
  },
  {
    name: 'a file',
    pieces: [piece('file', { file })],
    blocks: [{ type: 'file', name: 'a.txt', mimeType: 'text/plain', file }],
  },
  {
    name: 'an image',
    pieces: [piece('image', { image: { data: PIXEL, mimeType: 'image/png' } })],
    blocks: [{ type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } }],
  },
  {
    name: 'progress, in one block by its id',
    pieces: [piece('progress', { progress: progress(1) }, 'x'), piece('progress', { progress: progress(2) }, 'x')],
    blocks: [{ type: 'progress', progress: progress(2), extra: { responseId: 'x' } }],
  },
  {
    name: 'progress of two things, one of them not at its end',
    pieces: [piece('progress', { progress: progress(2) }, 'x'), piece('progress', { progress: progress(1) }, 'y')],
    blocks: [
      { type: 'progress', progress: progress(2), extra: { responseId: 'x' } },
      { type: 'progress', status: 'error', progress: progress(1), extra: { responseId: 'y' } },
    ],
  },
  {
    name: 'progress of one task whose responses have ids of their own',
    pieces: [
      piece('progress', { progress: { ...progress(0), total: 3 } }, 'x'),
      say('First.'),
      piece('progress', { progress: { ...progress(2), total: 3 } }, 'y'),
      piece('progress', { progress: { ...progress(3), total: 3 } }, 'z'),
    ],
    blocks: [
      { type: 'progress', progress: { ...progress(3), total: 3 }, extra: { responseId: 'x' } },
      { type: 'content', content: 'First.' },
    ],
  },
  {
    name: 'code with a text about it',
    pieces: [piece('code', { text: 'In code:', code })],
    blocks: [
      { type: 'content', content: 'In code:' },
      { type: 'code', code },
    ],
  },
  {
    name: 'a text with an image and data',
    pieces: [
      piece('text', {
        text: 'Both.',
        image: { data: PIXEL, mimeType: 'image/png' },
        data: { format: 'json', content: '{"a":1}' },
      }),
    ],
    blocks: [
      { type: 'content', content: 'Both.' },
      custom({ a: 1 }),
      { type: 'image', image_data: { data: PIXEL, mimeType: 'image/png' } },
    ],
  },
  {
    name: 'a text that a question, a task or an error repeats',
    pieces: [
      piece('progress', { text: 'Reading', progress: progress(2) }),
      piece('error', { text: 'No luck.', error: { code: 'E1', message: 'No luck.' } }),
    ],
    blocks: [
      { type: 'progress', progress: progress(2), extra: { responseId: 'p' } },
      { type: 'error', status: 'error', content: 'No luck.', extra: { code: 'E1' } },
    ],
  },
  {
    name: 'code that grows, and then its output, under one id',
    pieces: [
      { ...piece('code', { code: { ...code, content: 'x' } }), status: 'streaming' },
      { ...piece('code', { code }), status: 'streaming' },
      piece('code', { code: { ...code, output: '1' } }),
    ],
    blocks: [{ type: 'code', code: { ...code, output: '1' }, extra: { responseId: 'p' } }],
  },
  {
    name: 'another code under the same id',
    pieces: [
      { ...piece('code', { code }), status: 'streaming' },
      { ...piece('code', { code: { ...code, content: 'y()' } }), status: 'streaming' },
    ],
    blocks: [
      { type: 'code', code, extra: { responseId: 'p' } },
      { type: 'code', code: { ...code, content: 'y()' }, extra: { responseId: 'p.' } },
    ],
  },
  {
    name: 'the result of a command that is still running',
    pieces: [
      { ...piece('command_result', { commandResult: { success: true, output: 'o' } }), status: 'streaming' },
      piece('command_result', { commandResult: command }),
    ],
    blocks: [{ type: 'command_result', commandResult: command, extra: { responseId: 'p' } }],
  },
  {
    name: 'a piece without what its type promises',
    pieces: [piece('code', {}), say('Hi')],
    blocks: [{ type: 'content', content: 'Hi' }],
  },
];

describe('what an agent of the page answers', () => {
  for (const { name, pieces, blocks } of rows) {
    it(name, async () => {
      expect(await blocksOf(...pieces)).to.deep.equal(blocks);
    });
  }

  it('is told under the agent’s name', async () => {
    const { chat } = saying(say('Hello.'));
    const answer = await chat.send('Hi');
    expect(answer).to.include({ status: 'complete', finish: 'complete', name: 'The a' });
  });
});

describe('the message types that an agent of the page declares', () => {
  async function warningsOf(agent: Parameters<typeof agentOf>[1] & object): Promise<readonly string[]> {
    const said: string[] = [];
    const { warn } = console;
    console.warn = (text: string) => said.push(text);
    try {
      const { chat } = chatWith(agent);
      await chat.send('Hi');
      await chat.send('Again');
      expect(lines(chat).at(-1)).to.contain('assistant complete');
    } finally {
      console.warn = warn;
    }
    return said;
  }
  const answer = () =>
    chunksOf([
      say('Hi'),
      piece('code', { code }),
      piece('code', { code }),
      piece('progress', { progress: progress(2) }),
    ]);

  it('another type in its answers is warned about once, and shown', async () => {
    expect(await warningsOf({ id: 'types 1', answer, getSupportedMessageTypes: () => ['text'] })).to.deep.equal([
      '<agent-chat>: The agent "types 1" answers with "code", which its getSupportedMessageTypes() does not list.',
    ]);
  });

  it('these types are not warned about, and structured data is data', async () => {
    const data = () => chunksOf([piece('data', { data: { format: 'json', content: '{}' } })]);
    expect(await warningsOf({ id: 'types 2', answer, getSupportedMessageTypes: () => ['text', 'code'] })).to.be.empty;
    expect(
      await warningsOf({ id: 'types 3', answer: data, getSupportedMessageTypes: () => ['text', 'structured_data'] }),
    ).to.be.empty;
  });

  it('another type that is sent to it is warned about, and arrives', async () => {
    expect(
      await warningsOf({
        id: 'types 5',
        answer: () => chunksOf([say('Hi')]),
        getSupportedMessageTypes: () => ['code'],
      }),
    ).to.deep.equal([
      '<agent-chat>: The agent "types 5" gets "text", which its getSupportedMessageTypes() does not list.',
      '<agent-chat>: The agent "types 5" answers with "text", which its getSupportedMessageTypes() does not list.',
    ]);
  });

  it('a method that is only a placeholder does no harm', async () => {
    const getSupportedMessageTypes = (): never => {
      throw new Error('Method not implemented.');
    };
    expect(await warningsOf({ id: 'types 4', answer, getSupportedMessageTypes })).to.be.empty;
  });
});

describe('what an agent of the page is asked', () => {
  it('is the reader’s message, and what it was made of', async () => {
    const asked: AgentMessage[] = [];
    const { chat } = chatWith({
      answer: (message) => {
        asked.push(message);
        return chunksOf([say('Hello.')]);
      },
    });
    await chat.send('Hi');
    await chat.send({ text: 'Look', code });
    expect(asked.map(({ type, role, agentId, content }) => ({ type, role, agentId, content }))).to.deep.equal([
      { type: 'text', role: 'user', agentId: 'a', content: { text: 'Hi' } },
      { type: 'code', role: 'user', agentId: 'a', content: { text: 'Look', code } },
    ]);
    expect(asked[0]?.id).to.equal(chat.messages[0]?.id);
  });

  it('has the first image and file of the reader, and all others beside them', async () => {
    const asked: AgentMessage[] = [];
    const { chat } = chatWith({
      answer: (message) => {
        asked.push(message);
        return chunksOf([say('Hello.')]);
      },
    });
    const image = { kind: 'image', data: PIXEL, mimeType: 'image/png' } as const;
    const note = { kind: 'file', data: 'QQ==', mimeType: 'text/plain', name: 'a.txt' } as const;
    await chat.send({ text: 'Look', attachments: [image, note] });
    await chat.send({ text: 'Look', attachments: [image, image] });
    const sent = { data: PIXEL, mimeType: 'image/png' };
    expect(asked.map(({ type, content, metadata }) => ({ type, content, metadata }))).to.deep.equal([
      {
        type: 'file',
        content: { text: 'Look', image: sent, file: { name: 'a.txt', content: 'QQ==', mimeType: 'text/plain' } },
        metadata: {},
      },
      { type: 'image', content: { text: 'Look', image: sent }, metadata: { attachments: [{ image: sent }] } },
    ]);
  });

  it('may be passed on to another agent, whose answer has its name and its place', async () => {
    const expert = agentOf('expert', { answer: () => chunksOf([{ ...say('Five.'), agentId: 'expert' }]) });
    const asking = agentOf('a', {
      async *answer(message) {
        yield say('I ask.');
        yield* expert.processMessage(message);
        yield { ...say('Only it says so.'), agentId: 'nobody' };
      },
    });
    const { chat } = makeChat([], { endpoint: undefined, agents: [asking, expert] });
    await chat.send('How many?');
    expect(chat.messages.slice(1).map(({ name, agentId }) => [name, agentId])).to.deep.equal([
      ['The a', 'a'],
      ['The expert', 'expert'],
      ['The a', 'a'],
    ]);
    expect(lines(chat).slice(1)).to.deep.equal([
      'assistant complete: I ask.',
      'assistant complete: Five.',
      'assistant complete: Only it says so.',
    ]);
  });

  it('goes to the chosen one, or to the first', async () => {
    const agents = ['a', 'b'].map((id) => agentOf(id, { answer: () => chunksOf([{ ...say(id), agentId: id }]) }));
    const { chat, set } = makeChat([], { endpoint: undefined, agents });
    await chat.send('Hi');
    set({ agent: 'b' });
    await chat.send('Hi');
    expect(chat.messages.filter(({ role }) => role === 'assistant').map(({ name }) => name)).to.deep.equal([
      'The a',
      'The b',
    ]);
  });
});

describe('an agent of the page that fails', () => {
  const { chat: quiet } = saying();
  const failures: readonly {
    readonly name: string;
    readonly answer: () => AsyncIterable<AgentResponse>;
    readonly end: string;
  }[] = [
    {
      name: 'says so',
      answer: () => chunksOf([say('Half'), piece('error', { error: { code: 'E1', message: 'No luck.' } })]),
      end: 'error: Half | error: No luck.',
    },
    {
      name: 'says nothing of why',
      answer: () => chunksOf([piece('error', {})]),
      end: 'error: error: The agent reports an error.',
    },
    {
      name: 'throws',
      async *answer() {
        yield await Promise.resolve(say('Half'));
        throw new Error('No luck.');
      },
      end: 'error: Half | error: No luck.',
    },
    {
      name: 'throws at once',
      answer: () => {
        throw new TypeError('This module has no luck.');
      },
      end: 'error: error: This module has no luck.',
    },
    {
      name: 'throws an object that is no error',
      answer: () => {
        // oxlint-disable-next-line typescript/only-throw-error -- as agents that are written in JavaScript do
        throw { code: 403 };
      },
      end: 'error: error: {"code":403}',
    },
    {
      name: 'yields nothing instead of a response',
      answer: () => chunksOf([say('Half'), undefined as never]),
      end: 'error: Half | error: The agent must yield responses, not undefined.',
    },
    {
      name: 'yields a text instead of a response',
      answer: () => chunksOf(['Hi' as never]),
      end: 'error: error: The agent must yield responses, not a string.',
    },
    {
      name: 'yields a response without content',
      answer: () => chunksOf([{ id: 'a', type: 'text' } as never]),
      end: 'error: error: The agent must yield responses with `content`, such as `{text: "…"}`.',
    },
  ];
  for (const { name, answer, end } of failures) {
    it(`${name}: what came is kept, and the page is told`, async () => {
      const { chat, told } = chatWith({ answer });
      await chat.send('Hi');
      expect(lines(chat).at(-1)).to.equal(`assistant ${end}`);
      expect(told.errors.map(({ kind, message }) => [kind, end.endsWith(message)])).to.deep.equal([['agent', true]]);
    });
  }

  it('one that says nothing at all has ended', async () => {
    expect((await quiet.send('Hi')).status).to.equal('complete');
  });
});

describe('the reply of an agent of the page', () => {
  it('is not complete after an attempt to resume it', async () => {
    const { chat, told } = chatWith({ answer: () => chunksOf([say('Never')]) });
    chat.messages = [
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: 'Half', status: 'interrupted' },
    ];
    await chat.resume();
    expect(lines(chat).at(-1)).to.equal('assistant error: Half | error: no-resume');
    expect(told.errors).to.have.length(1);
  });

  it('passes `transformEvent` and the limits', async () => {
    const answer = () => chunksOf(['one ', 'two ', 'three '].map(say));
    const { chat, told } = makeChat([], {
      endpoint: undefined,
      agents: [agentOf('a', { answer })],
      limits: { messageBytes: 8 },
      transformEvent: (event) =>
        event.type === 'response' && event.data.content === 'two '
          ? { ...event, data: { ...event.data, content: '2 ' } }
          : event,
    });
    await chat.send('Hi');
    expect(lines(chat).at(-1)).to.equal('assistant error: one 2 three  | error: answer-too-long');
    expect(told.errors.map(({ kind }) => kind)).to.deep.equal(['limit']);
  });
});

describe('stopping an agent of the page', () => {
  it('tells it, ends the reply at once, and takes nothing more from it', async () => {
    const began = Promise.withResolvers<AbortSignal>();
    const more = Promise.withResolvers<undefined>();
    const ended = Promise.withResolvers<undefined>();
    const { chat, told } = chatWith({
      async *answer(_message, signal) {
        try {
          yield say('Half');
          began.resolve(signal);
          await more.promise;
          yield say(' and more');
        } finally {
          ended.resolve(undefined);
        }
      },
    });
    const sent = chat.send('Hi');
    const signal = await began.promise;
    chat.stop();
    expect(signal.aborted).to.equal(true);
    expect(lines(chat).at(-1)).to.equal('assistant cancelled: Half');
    more.resolve(undefined);
    await sent;
    await ended.promise;
    expect(lines(chat).at(-1)).to.equal('assistant cancelled: Half');
    expect(told.errors).to.deep.equal([]);
  });
});

describe('a confirmation of an agent of the page', () => {
  const confirm = piece('confirmation', {
    confirmation: { type: 'action', message: 'Buy ten?', options: ['Buy', 'Buy five'] },
  });
  async function start() {
    const asked: AgentMessage[] = [];
    const made = chatWith({
      answer: (message) => {
        asked.push(message);
        return chunksOf(asked.length === 1 ? [say('Well.'), confirm] : [say('Done.')]);
      },
    });
    const sent = made.chat.send('Buy');
    await until(made.chat, isAsking);
    return { ...made, asked, sent };
  }

  it('waits for the reader, with its options', async () => {
    const { chat } = await start();
    expect(pending(chat)).to.deep.include({
      action_type: 'confirmation',
      content: 'Buy ten?',
      extra: { kind: 'action', options: [{ label: 'Buy' }, { label: 'Buy five' }], responseId: confirm.id },
    });
    expect(chat.messages.at(-1)).to.include({ status: 'streaming', finish: 'tool_use' });
    chat.stop();
  });

  it('the answer goes to the agent, which goes on in the same message', async () => {
    const { chat, asked, sent } = await start();
    const { id } = pending(chat);
    void chat.respond(id, 'granted', { payload: 'Buy five' });
    const answer = await sent;
    expect(asked[1]).to.deep.include({ type: 'text', role: 'user', content: { text: 'Buy five' } });
    expect(asked[1]?.metadata['answer']).to.include({ decision: 'granted', payload: 'Buy five', blockId: id });
    expect(answer.blocks.map(({ type, status }) => [type, status])).to.deep.equal([
      ['content', 'success'],
      ['action', 'granted'],
      ['content', 'success'],
    ]);
    expect(chat.messages).to.have.length(2);
  });

  it('of two, both answered, each answer gets a reply of its own', async () => {
    const { chat } = chatWith({
      answer: ({ content, metadata }) =>
        chunksOf(metadata['answer'] ? [say(`Noted: ${content.text ?? ''}.`)] : [confirm, confirm]),
    });
    const sent = chat.send('Buy');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'answered', { payload: 'Buy' });
    void chat.respond(pending(chat).id, 'answered', { payload: 'Buy five' });
    await sent;
    expect(lines(chat).slice(1)).to.deep.equal([
      'assistant complete: action | action | Noted: Buy.',
      'assistant complete: Noted: Buy five.',
    ]);
  });

  it('of two, each answer names the response that it is about', async () => {
    const ask = (id: string) => ({
      ...piece('confirmation', { confirmation: { type: 'permission', message: `Delete ${id}?` } }),
      id,
    });
    const answered: unknown[] = [];
    const { chat } = chatWith({
      answer: ({ content, metadata }) => {
        const answer = metadata['answer'] as { readonly extra: { readonly responseId: string } } | undefined;
        if (answer) answered.push([answer.extra.responseId, content.text]);
        return chunksOf(answer ? [say('Noted.')] : [ask('a'), ask('b')]);
      },
    });
    const sent = chat.send('Delete');
    await until(chat, isAsking);
    const { id: second } = chat.messages.at(-1)?.blocks.at(-1) ?? { id: '' };
    void chat.respond(second, 'granted');
    void chat.respond(pending(chat).id, 'denied');
    await sent;
    expect(answered).to.deep.equal([
      ['b', 'granted'],
      ['a', 'denied'],
    ]);
  });

  it('of two, the second reaches no agent once the user has stopped it', async () => {
    const ask = (id: string) => ({
      ...piece('confirmation', { confirmation: { type: 'permission', message: `Delete ${id}?` } }),
      id,
    });
    const got: string[] = [];
    const { chat } = chatWith({
      answer: ({ content, metadata }) => {
        got.push(content.text ?? '');
        if (!metadata['answer']) return chunksOf([ask('a'), ask('b')]);
        chat.stop();
        return chunksOf([say('Noted.')]);
      },
    });
    const sent = chat.send('Delete');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'denied');
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    await new Promise((resolve) => setTimeout(resolve));
    expect(got).to.deep.equal(['Delete', 'denied']);
  });

  it('text after the question and text after the answer are two', async () => {
    const { chat } = chatWith({
      answer: ({ metadata }) => chunksOf(metadata['answer'] ? [say('Done.')] : [confirm, say('I wait.')]),
    });
    const sent = chat.send('Buy');
    await until(chat, isAsking);
    void chat.respond(pending(chat).id, 'granted');
    await sent;
    expect(lines(chat).slice(1)).to.deep.equal(['assistant complete: action | I wait.', 'assistant complete: Done.']);
  });

  it('a no is an answer too', async () => {
    const { chat, asked, sent } = await start();
    void chat.respond(pending(chat).id, 'denied');
    await sent;
    expect(asked[1]?.content).to.deep.equal({ text: 'denied' });
  });

  it('dismissed, the turn ends there', async () => {
    const { chat, asked, sent } = await start();
    void chat.respond(pending(chat).id, 'dismissed');
    expect((await sent).status).to.equal('complete');
    expect(asked).to.have.length(1);
  });
});

describe('the metadata of an agent in the page', () => {
  it('rule 28: contains no fields that only the widget or the user sets', async () => {
    const metadata = {
      hidden: true,
      stoppedBy: 'user',
      feedback: { value: 'up' },
      spokenBy: 'page',
      unreadable: true,
      agentMayContinue: true,
      mood: 'good',
    };
    const { chat } = saying({ ...say('Hello'), metadata });
    const { metadata: shown = {} } = await chat.send('Hi');
    expect(shown).to.include({ mood: 'good' });
    for (const name of ['hidden', 'stoppedBy', 'feedback', 'spokenBy', 'unreadable', 'agentMayContinue'])
      expect(shown).not.to.have.property(name);
  });
});
