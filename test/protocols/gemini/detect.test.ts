import { expect } from '@open-wc/testing';
import { detectors } from '../../../src/protocols/detectors.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { guessByUrl } from '../../../src/runtime/stream/detect-protocol.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { sse } from '../../support/play-body.ts';
import { call, say, stop, stream } from './streams.ts';

const host = 'https://generativelanguage.googleapis.com';
const error = { error: { code: 400, message: 'Bad', status: 'INVALID_ARGUMENT' } };

describe('gemini, detection', () => {
  for (const { name, body, found = 'gemini', url } of [
    { name: 'a stream', body: stream(say('Hi'), stop()) },
    { name: 'a call', body: stream(call({ name: 'f' }), stop()) },
    { name: 'the array form', body: `[${JSON.stringify(say('Hi'), null, 2)}\n,\r\n${JSON.stringify(stop())}]` },
    { name: 'one document', body: JSON.stringify(say('Hi'), null, 1) },
    { name: 'a blocked prompt', body: sse({ promptFeedback: { blockReason: 'SAFETY' } }) },
    { name: 'only token counts', body: sse({ usageMetadata: { trafficType: 'x' }, modelVersion: 'm' }) },
    {
      name: 'an error at its address',
      body: JSON.stringify([error]),
      url: `${host}/v1beta/models/m:streamGenerateContent`,
    },
    { name: 'an error anywhere', body: JSON.stringify(error), found: 'json' },
    {
      name: 'its API for OpenAI’s clients',
      body: sse({ choices: [{ delta: { content: 'x' } }] }),
      url: `${host}/v1beta/openai/chat/completions`,
      found: 'openai-chat',
    },
  ]) {
    it(`${name} → ${found}`, async () => {
      expect(await findProtocol(body, protocols.list(), url)).to.equal(found);
    });
  }

  it('no other protocol detects its chunks with certainty', () => {
    const json = say('Hi');
    const frames = [{ data: JSON.stringify(json), json }];
    const signs = {
      url: new URL('https://a.example/agent'),
      headers: new Headers(),
      framing: 'sse' as const,
      frames,
      ended: true,
    };
    const sure = Object.entries(detectors).filter(([, detect]) => detect(signs) === 'sure');
    expect(sure.map(([id]) => id)).to.deep.equal(['gemini']);
  });

  it('guesses by its addresses only', () => {
    const guess = (url: string): string | undefined => guessByUrl(new URL(url), protocols.list())?.id;
    expect(guess(`${host}/v1beta/models/m:streamGenerateContent?alt=sse`)).to.equal('gemini');
    expect(guess('https://p.example/v1/projects/p/models/m:generateContent')).to.equal('gemini');
    expect(guess(`${host}/v1beta`)).to.equal('gemini');
    expect(guess(`${host}/v1beta/models/m`)).to.equal('gemini');
    expect(guess(`${host}/v1beta/openai/chat/completions`)).not.to.equal('gemini');
    expect(guess('https://a.example/v1/models')).to.equal(undefined);
  });
});
