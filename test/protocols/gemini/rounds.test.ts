import { expect } from '@open-wc/testing';
import type { ChatMessage } from '../../../src/model/message.ts';
import { adapter as gemini } from '../../../src/protocols/gemini/gemini.ts';
import { chunksOf } from '../../support/cuts.ts';
import { assistant, conversation, toolBlock, user, type LooseBlock } from '../../support/messages.ts';
import { decodeContext, emptyTurn, framesOf, requestOptions } from '../../support/play-body.ts';
import { call, chunk, say, stop } from './streams.ts';

/** The metadata that a stream leaves in its message. */
async function factsOf(metadata: object, ...chunks: readonly unknown[]): Promise<Record<string, unknown>> {
  const facts: Record<string, unknown> = { ...metadata };
  const messages = conversation(user('hi'), assistant([], { metadata: { ...metadata } }));
  const context = { ...decodeContext(), turn: { ...emptyTurn, messages } };
  for await (const events of gemini.decode(chunksOf([framesOf(...chunks)]), context)) {
    for (const event of events) if (event.type === 'response') Object.assign(facts, event.data.metadata);
  }
  // As they are stored: by value.
  return JSON.parse(JSON.stringify(facts)) as Record<string, unknown>;
}

/** The contents after the user's first message, in the request after a reply. */
async function sentBack(blocks: readonly LooseBlock[], metadata: Record<string, unknown>): Promise<readonly unknown[]> {
  const messages: readonly ChatMessage[] = conversation(user('hi'), assistant(blocks, { metadata }));
  const { init } = await gemini.request({ ...emptyTurn, messages }, requestOptions);
  const { contents } = JSON.parse(JSON.stringify(init.body)) as { contents: unknown[] };
  return contents.slice(1);
}

const model = (...parts: object[]) => ({ role: 'model', parts });
const results = (...parts: object[]) => ({ role: 'user', parts });
const answered = (name: string, response: object, more: object = {}) => ({
  functionResponse: { ...more, name, response },
});

describe('gemini, history', () => {
  it('keeps every signature in its part, an empty one too, and joins parts without one', async () => {
    const facts = await factsOf(
      {},
      chunk([{ text: 'Secret', thought: true }]),
      chunk([{ text: 'a thought', thought: true, thoughtSignature: 'T' }]),
      say('One '),
      say('two'),
      chunk([{ text: ' three', thoughtSignature: 'S1' }]),
      say(''),
      say(' four'),
      chunk([{ text: '', thoughtSignature: 'S2' }]),
      stop(),
    );
    expect(await sentBack([{ type: 'content', content: 'One two three four' }], facts)).to.deep.equal([
      model(
        { text: '', thought: true, thoughtSignature: 'T' },
        { text: 'One two' },
        { text: ' three', thoughtSignature: 'S1' },
        { text: ' four' },
        { text: '', thoughtSignature: 'S2' },
      ),
    ]);
  });

  it('answers the calls of each round after it, in order, with the original ids and the final arguments', async () => {
    const first = await factsOf(
      {},
      chunk([
        { functionCall: { id: 'w', name: 'f', args: { x: 1 } }, thoughtSignature: 'S1' },
        { functionCall: { name: 'g' } },
      ]),
      stop(),
    );
    const blocks = [
      toolBlock('w', 'f', '{"x":2}', '"ok"'),
      toolBlock('new1', 'g', '{}', 'It broke.', true),
      toolBlock('new2', 'h', '{}'),
      { type: 'content', content: 'Done' } as const,
    ];
    const roundOne = [
      model(
        { functionCall: { id: 'w', name: 'f', args: { x: 2 } }, thoughtSignature: 'S1' },
        { functionCall: { name: 'g' } },
      ),
      results(answered('f', { result: 'ok' }, { id: 'w' }), answered('g', { error: 'It broke.' })),
    ];
    expect(await sentBack(blocks.slice(0, 2), first)).to.deep.equal(roundOne);

    const context = conversation(user('hi'), assistant(blocks.slice(0, 2), { metadata: first }));
    expect(context).to.have.length(2);
    const second = await factsOf(
      first,
      chunk([{ functionCall: { id: 'new2', name: 'h' }, thoughtSignature: 'S2' }]),
      stop(),
    );
    const last = await factsOf(second, chunk([{ text: 'Done', thoughtSignature: 'S3' }]), stop());
    expect(await sentBack(blocks, last)).to.deep.equal([
      ...roundOne,
      model({ functionCall: { id: 'new2', name: 'h' }, thoughtSignature: 'S2' }),
      results(answered('h', { error: 'This call was not run.' }, { id: 'new2' })),
      model({ text: 'Done', thoughtSignature: 'S3' }),
    ]);
  });

  it('uses the blocks if no round was stored', async () => {
    const facts = await factsOf({}, call({ name: 'f' }, { thoughtSignature: 'S' }), chunk([{ text: '' }]), stop());
    const blocks = [toolBlock('new1', 'f', '{}', 'ok'), { type: 'content', content: 'Stopped he' } as const];
    expect(await sentBack(blocks, facts)).to.deep.equal([
      model({ functionCall: { name: 'f' }, thoughtSignature: 'S' }),
      results(answered('f', { result: 'ok' })),
      model({ text: 'Stopped he' }),
    ]);
  });

  it('takes the bytes of an image from its block, and omits a refused one', async () => {
    const picture = (data: string) => chunk([{ inlineData: { mimeType: 'image/png', data }, thoughtSignature: data }]);
    const facts = await factsOf({}, picture('AA=='), say('and'), picture('BB=='), stop());
    expect(JSON.stringify(facts['rounds'])).not.to.contain('"data"');
    const blocks: readonly LooseBlock[] = [
      { type: 'image', status: 'error', extra: { reason: 'size' } },
      { type: 'content', content: 'and' },
      { type: 'image', image_data: { mimeType: 'image/png', data: 'BB==' } },
    ];
    expect(await sentBack(blocks, facts)).to.deep.equal([
      model({ text: 'and' }, { inlineData: { mimeType: 'image/png', data: 'BB==' }, thoughtSignature: 'BB==' }),
    ]);
  });

  it('sends the provider’s own tool calls unchanged', async () => {
    const parts = [
      { executableCode: { language: 'PYTHON', code: 'x' }, thoughtSignature: 'S' },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    ];
    const facts = await factsOf({}, chunk(parts), say('One.'), stop());
    const blocks = [{ ...toolBlock('new1', 'code_execution', '{}', '1'), extra: { remote: true } }];
    expect(await sentBack(blocks, facts)).to.deep.equal([model(...parts, { text: 'One.' })]);
  });

  it('survives what a page or its storage has made of the stored rounds', async () => {
    for (const rounds of ['x', [{ protocol: 'gemini', items: [null, 7, { part: 'x' }] }]]) {
      const contents = await sentBack([{ type: 'content', content: 'Hi' }], { rounds });
      expect(contents).to.be.an('array');
    }
  });
});
