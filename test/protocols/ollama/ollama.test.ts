import { expect } from '@open-wc/testing';
import { detectors } from '../../../src/protocols/detectors.ts';
import { adapter as ollama } from '../../../src/protocols/ollama/ollama.ts';
import { protocols } from '../../../src/protocols/registry.ts';
import { guessByUrl } from '../../../src/runtime/stream/detect-protocol.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call as toolCall, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { findProtocol } from '../../support/find-protocol.ts';
import { ndjson } from '../../support/play-body.ts';
import { call, done, generated, line, say } from './streams.ts';

const reply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  ...more,
  blocks,
});

describe('ollama', () => {
  testRecordings(ollama, 'ollama');

  testBodies(ollama, [
    {
      name: 'CRLF, blank lines, a last line without its line end, which wins',
      body: ndjson(say('Hel')).replace('\n', '\r\n\r\n') + JSON.stringify(done({}, { content: 'lo' })),
      messages: [reply([text('Hello')])],
    },
    {
      name: 'a reply that was not streamed, on several lines',
      body: JSON.stringify(done({ eval_count: 2 }, { content: 'Hi' }), null, 2),
      messages: [reply([text('Hi')], { usage: { prompt_tokens: 0, completion_tokens: 2, total_tokens: 2 } })],
    },
    ...[
      { name: 'truncated by its length', more: { done_reason: 'length' }, finish: 'max_tokens' },
      { name: 'an old server, without a reason', more: { done_reason: undefined }, finish: 'complete' },
      { name: 'a reason in Object.prototype', more: { done_reason: 'constructor' }, finish: 'complete' },
    ].map(({ name, more, finish }) => ({
      name,
      body: ndjson(say('a'), done(more)),
      messages: [reply([text('a')], { finish })],
    })),
    ...['load', 'unload'].map((done_reason) => ({
      name: `${done_reason}: nothing is shown`,
      body: ndjson(done({ done_reason })),
      messages: [reply([])],
    })),
    {
      name: 'reasoning, and reasoning in tags if it is off',
      body: ndjson(line({ thinking: 'Hm' }), line({ thinking: '.', content: null }), say('Yes'), done()),
      messages: [reply([thought('Hm.'), text('Yes')])],
    },
    {
      name: 'reasoning in tags',
      body: ndjson(say('<thi'), say('nk>\nHm</think>\n\nYes'), say(' <'), done()),
      messages: [reply([thought('Hm'), text('Yes <')])],
    },
    {
      name: 'reasoning of generate',
      body: ndjson(generated('', { thinking: 'Hm' }), generated('Yes'), generated('', { done: true })),
      messages: [reply([thought('Hm'), text('Yes')])],
    },
    {
      name: 'calls after text, on one line and several, without or with equal ids, and arguments of every form',
      body: ndjson(
        say('Wait <'),
        line({
          tool_calls: [
            { id: 'c', function: { index: 0, name: 'f', arguments: { x: 1 } } },
            { id: 'c', function: { index: 1, name: 'f', arguments: {} } },
          ],
        }),
        call('g', '{"y":2}'),
        call('h', null),
        done(),
      ),
      messages: [
        reply(
          [
            text('Wait <'),
            toolCall('c', 'f', { params: '{"x":1}' }, { status: 'loading' }),
            toolCall('new1', 'f', { params: '{}' }, { status: 'loading' }),
            toolCall('new2', 'g', { params: '{"y":2}' }, { status: 'loading' }),
            toolCall('new3', 'h', { params: '{}' }, { status: 'loading' }),
          ],
          { finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'images, with the type from their first bytes',
      body: ndjson(line({ images: ['iVBORw0KGgo=', '/9j/4AAQ'] }), line({ images: null }), done()),
      messages: [
        reply([
          { type: 'image', image_data: { data: 'iVBORw0KGgo=', mimeType: 'image/png' } },
          { type: 'image', image_data: { data: '/9j/4AAQ', mimeType: 'image/jpeg' } },
        ]),
      ],
    },
    {
      name: 'an image of /api/generate',
      body: ndjson(generated('', { image: 'iVBORw0KGgo=', done: true })),
      messages: [reply([{ type: 'image', image_data: { data: 'iVBORw0KGgo=', mimeType: 'image/png' } }])],
    },
    {
      name: 'an error whose text is the name of its field',
      body: ndjson(say('Half'), { 'error parsing tool call': 'raw={' }),
      messages: [
        reply([text('Half'), failure('error parsing tool call: raw={')], { status: 'error', finish: 'error' }),
      ],
    },
    {
      name: 'an error that is an object',
      body: ndjson(say('Half <'), { error: { message: 'Boom' } }),
      messages: [reply([text('Half <'), failure('Boom')], { status: 'error', finish: 'error' })],
    },
    {
      name: 'no line with done: interrupted, and nothing is held back',
      body: ndjson(say('Half'), say('\n</think')),
      messages: [reply([text('Half\n</think')], { status: 'interrupted', finish: 'error' })],
      problem: 'cut',
    },
    {
      name: 'each invalid field is one warning, and the rest is read',
      body: ndjson(say('a')) + '{"message":\n7\n' + ndjson({ status: 'pulling manifest' }, say('b'), done()),
      messages: [reply([text('ab')])],
      warnings: ['malformed', 'malformed', 'unknown'],
    },
  ]);

  testNeverThrows(ollama, [
    line({ content: '<think>x', thinking: 'y', images: ['AA'] }),
    call('f', { a: 1 }, { id: 'c' }),
    generated('x', { thinking: 'y' }),
    done({ context: [1], prompt_eval_count: 1, eval_count: 2, done_reason: 'length' }),
    { error: 'e' },
    { error: { message: 'e' } },
  ]);

  describe('detection', () => {
    for (const { name, body, found = 'ollama', url } of [
      { name: 'chat', body: ndjson(say('Hi'), done()) },
      { name: 'generate', body: ndjson(generated('Hi'), generated('', { done: true })) },
      { name: 'one document', body: JSON.stringify(done(), null, 1) },
      { name: 'an error at its address', body: ndjson({ error: 'x' }), url: 'http://localhost:11434/api/chat' },
      { name: 'an error anywhere', body: ndjson({ error: 'x' }), found: 'json' },
    ]) {
      it(`${name} → ${found}`, async () => {
        expect(await findProtocol(body, protocols.list(), url)).to.equal(found);
      });
    }

    it('no other protocol detects its lines with certainty', () => {
      for (const json of [say('Hi'), generated('Hi')]) {
        const frames = [{ data: JSON.stringify(json), json }];
        const url = new URL('https://a.example/agent');
        const signs = { url, headers: new Headers(), framing: 'lines' as const, frames, ended: true };
        const sure = Object.entries(detectors).filter(([, detect]) => detect(signs) === 'sure');
        expect(sure.map(([id]) => id)).to.deep.equal(['ollama']);
      }
    });

    it('guesses by its addresses only: a common path says nothing', () => {
      const guess = (url: string): string | undefined => guessByUrl(new URL(url), protocols.list())?.id;
      expect(guess('http://localhost:11434/')).to.equal('ollama');
      expect(guess('http://127.0.0.1:11434/api/generate')).to.equal('ollama');
      expect(guess('https://ollama.com/api/chat')).to.equal('ollama');
      expect(guess('https://a.example/ollama/api/chat')).to.equal('ollama');
      expect(guess('https://a.example/api/chat')).not.to.equal('ollama');
      expect(guess('http://localhost:11434/v1/chat/completions')).to.equal('openai-chat');
    });
  });
});
