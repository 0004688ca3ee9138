import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { toRecording, type Recording } from '../../../src/runtime/trace/recording.ts';
import { replay } from '../../../src/runtime/trace/replay.ts';
import type { ChatSettings } from '../../../src/runtime/chat-settings.ts';
import type { SendInput } from '../../../src/runtime/chat/user-message.ts';
import { TraceLog } from '../../../src/runtime/trace/trace-log.ts';
import { bareMessage } from '../../support/bare.ts';
import { Tracer } from '../../../src/runtime/tracer.ts';
import { makeChat } from '../support/make-chat.ts';
import { callsOf, completionOf, session, stream, watchedBody, type Answerer } from '../support/scripted-server.ts';

const look = {
  name: 'look',
  description: 'Looks',
  parameters: { type: 'object' },
  execute: () => 'a tree',
};

/** The duration of a page tool depends on the clock. */
const told = (messages: readonly ChatMessage[]): readonly unknown[] =>
  messages.map(bareMessage).map(({ blocks, ...message }) => ({
    ...message,
    blocks: (blocks as readonly object[]).map((block) => ({ ...block, duration: 0 })),
  }));

/** The messages of a turn, and its recording. */
async function record(
  script: readonly Answerer[],
  settings: ChatSettings,
  input: SendInput = 'Hi',
): Promise<{ readonly messages: readonly ChatMessage[]; readonly recording: Recording }> {
  const log = new TraceLog();
  const { chat } = makeChat(script, settings, {
    trace: (turn) =>
      new Tracer((entry) => {
        log.add(entry);
      }, turn),
  });
  await chat.send(input);
  const [turn] = log.turns;
  const recording = turn && toRecording(turn);
  if (!recording) throw new Error('Nothing was recorded.');
  return { messages: chat.messages, recording: JSON.parse(JSON.stringify(recording)) as Recording };
}

/** The same, replayed from the recording. */
async function play(recording: Recording, settings: ChatSettings = {}): Promise<readonly ChatMessage[]> {
  const { chat } = makeChat([], { ...settings, ...(await replay(recording)) });
  await chat.send('Hi');
  return chat.messages;
}

const rows: readonly {
  readonly name: string;
  readonly script: readonly Answerer[];
  readonly settings: ChatSettings;
}[] = [
  { name: 'a complete reply', script: [stream(session('Hello **there**.'))], settings: {} },
  { name: 'a truncated reply', script: [stream(session('Hello', false))], settings: {} },
  {
    name: 'a reply whose connection was lost',
    script: [() => watchedBody([session('Hello', false)], 'drop').response()],
    settings: {},
  },
  { name: 'a malformed frame', script: [stream(`data: {broken\n\n${session('Hello')}`)], settings: {} },
  {
    name: 'a completion with its end marker',
    script: [stream(completionOf('Hello'))],
    settings: { protocol: 'openai-chat' },
  },
  {
    name: 'a turn of two rounds',
    script: [stream(callsOf(['c1', 'look', '{}'])), stream(completionOf('A tree.'))],
    settings: { protocol: 'openai-chat', tools: [look] },
  },
  { name: 'a plain text', script: [stream('Just words.')], settings: { protocol: 'text' } },
  { name: 'a stream of an unknown protocol', script: [stream('data: {"odd":1}\n\n')], settings: { protocol: 'auto' } },
];

describe('replay', () => {
  for (const { name, script, settings } of rows) {
    it(`${name} results in the same messages again`, async () => {
      const { messages, recording } = await record(script, settings);
      const again = await play(recording, settings.tools ? { tools: settings.tools } : {});
      expect(told(again)).to.deep.equal(told(messages));
      expect(told(recording.messages)).to.deep.equal(told(messages));
    });
  }

  it('keeps the order of the rounds in the file', async () => {
    const { recording } = await record([stream(callsOf(['c1', 'look', '{}'])), stream(completionOf('A tree.'))], {
      protocol: 'openai-chat',
      tools: [look],
    });
    expect(recording).to.include({ version: 1, protocol: 'openai-chat', framing: 'sse' });
    expect(recording.frames.map(({ round = 0 }) => round)).to.deep.equal([0, 0, 0, 1, 1, 1]);
  });

  it('rule 30: has no password that a form has sent', async () => {
    const data = {
      name: 'go',
      context: { user: 'ann', password: 'pw1' },
      dataModel: { p: 'pw1' },
      secrets: ['password'],
    };
    const { recording } = await record([stream(session('Hello'))], {}, { text: 'Sign in', data });
    expect(JSON.stringify(recording)).to.contain('"ann"').and.not.to.contain('pw1');
  });

  it('sends no request, also if the protocol has more requests', async () => {
    const { recording } = await record([stream(session('Hello'))], {});
    const { protocol } = await replay(recording);
    expect(protocol).to.be.an('object').that.has.not.any.keys('cancel', 'resume');
  });

  it('rejects an invalid recording', async () => {
    const odd = JSON.parse('{"version":2,"frames":[]}') as Recording;
    let refusal: unknown;
    await replay(odd).catch((error: unknown) => (refusal = error));
    expect(refusal).to.be.an.instanceOf(TypeError);
  });

  it('plays the frames at their original times on request, until it is stopped', async () => {
    const { recording } = await record([stream(session('Hello'))], {});
    const frames = recording.frames.map((frame, index) => ({ ...frame, t: index * 3_600_000 }));
    const { chat } = makeChat([], await replay({ ...recording, frames }, { pace: 'recorded' }));
    const reply = chat.send('Hi');
    await new Promise<void>((resolve) => {
      chat.store.subscribe(() => {
        if (chat.messages.at(-1)?.blocks.length) resolve();
      });
    });
    chat.stop();
    expect((await reply).status).to.equal('cancelled');
  });
});
