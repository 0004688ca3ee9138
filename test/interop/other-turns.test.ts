/** Compares our requests over two turns to Ollama, Gemini and Cohere with their API documentation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { z } from '../../src/model/schema.ts';
import * as cohere from '../protocols/cohere/streams.ts';
import * as gemini from '../protocols/gemini/streams.ts';
import * as ollama from '../protocols/ollama/streams.ts';
import { ndjson } from '../support/play-body.ts';
import { replayServer } from './support/replay-server.ts';
import { cohereRequest, geminiRequest, ollamaRequest } from './support/request-schemas.ts';
import { CLEAR, parameters, PDF, PIXEL, twoTurns, UNKNOWN_CITY } from './support/two-turns.ts';

/** The bodies of the requests, which must match the schema. */
async function requestsTo<Schema extends z.ZodMiniType>(
  schema: Schema,
  path: string,
  bodies: readonly string[],
  contentType = 'text/event-stream',
): Promise<readonly z.infer<Schema>[]> {
  const server = await replayServer(contentType);
  try {
    assert.deepEqual(await twoTurns(server, path, bodies), []);
    return server.sent.map((body) => {
      const { data, error } = schema.safeParse(body);
      assert.deepEqual(error?.issues, undefined);
      return data as z.infer<Schema>;
    });
  } finally {
    await server.close();
  }
}

const weather = { name: 'weather', description: 'The weather of a city', parameters };
const tools = [{ type: 'function' as const, function: weather }];

describe('two turns with servers whose client is not installed here', () => {
  it('Ollama: images beside the text, arguments as objects, reasoning within the turn', async () => {
    type Body = z.infer<typeof ollamaRequest>;
    const bodies = [
      ndjson(
        ollama.line({ thinking: 'A tower.' }),
        ollama.say('I look.'),
        ollama.call('weather', { city: 'Lisbon' }, { id: 'call_a' }),
        ollama.call('weather', { city: 'Atlantis' }, { id: 'call_b' }),
        ollama.done(),
      ),
      ndjson(ollama.say('Lisbon.'), ollama.done()),
      ndjson(ollama.say('Home.'), ollama.done()),
    ];
    const question: Body['messages'] = [
      { role: 'system', content: 'Be brief.' },
      // It accepts images and no other files.
      { role: 'user', content: 'Where is this?\n[An attachment was left out: a.pdf]', images: [PIXEL] },
    ];
    const callMessage: Body['messages'][number] = {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'call_a', function: { name: 'weather', arguments: { city: 'Lisbon' } } },
        { id: 'call_b', function: { name: 'weather', arguments: { city: 'Atlantis' } } },
      ],
    };
    const results: Body['messages'] = [
      { role: 'tool', tool_name: 'weather', tool_call_id: 'call_a', content: CLEAR },
      { role: 'tool', tool_name: 'weather', tool_call_id: 'call_b', content: UNKNOWN_CITY },
    ];
    const later: Body['messages'] = [
      { role: 'assistant', content: 'Lisbon.' },
      { role: 'user', content: 'And then?' },
    ];
    const body = (...messages: Body['messages']): Body => ({ model: 'm', stream: true, messages, tools });
    assert.deepEqual(await requestsTo(ollamaRequest, '/ollama/api/chat', bodies, 'application/x-ndjson'), [
      body(...question),
      body(...question, { ...callMessage, thinking: 'A tower.' }, ...results),
      body(...question, callMessage, ...results, ...later),
    ]);
  });

  it('Gemini: each signature on its own part, results as objects, an error as one', async () => {
    type Body = z.infer<typeof geminiRequest>;
    const lisbon = { functionCall: { name: 'weather', args: { city: 'Lisbon' } }, thoughtSignature: 'AAAA' };
    const atlantis = { functionCall: { name: 'weather', args: { city: 'Atlantis' } } };
    const bodies = [
      gemini.stream(
        gemini.chunk([{ text: 'A tower.', thought: true }]),
        gemini.say('I '),
        gemini.say('look.'),
        gemini.chunk([lisbon, atlantis]),
        gemini.stop(),
      ),
      gemini.stream(gemini.say('Lisbon.'), gemini.chunk([{ text: '', thoughtSignature: 'BBBB' }]), gemini.stop()),
      gemini.stream(gemini.say('Home.'), gemini.stop()),
    ];
    const question: Body['contents'] = [
      {
        role: 'user',
        parts: [
          { text: 'Where is this?' },
          { inlineData: { mimeType: 'image/png', data: PIXEL } },
          { inlineData: { mimeType: 'application/pdf', data: PDF } },
        ],
      },
    ];
    const answered: Body['contents'] = [
      { role: 'model', parts: [{ text: 'I look.' }, lisbon, atlantis] },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'weather', response: { result: { sky: 'clear' } } } },
          { functionResponse: { name: 'weather', response: { error: UNKNOWN_CITY } } },
        ],
      },
    ];
    const later: Body['contents'] = [
      { role: 'model', parts: [{ text: 'Lisbon.' }, { text: '', thoughtSignature: 'BBBB' }] },
      { role: 'user', parts: [{ text: 'And then?' }] },
    ];
    const body = (...contents: Body['contents']): Body => ({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents,
      tools: [{ functionDeclarations: [weather] }],
    });
    assert.deepEqual(await requestsTo(geminiRequest, '/v1beta/models/m:streamGenerateContent', bodies), [
      body(...question),
      body(...question, ...answered),
      body(...question, ...answered, ...later),
    ]);
  });

  it('Cohere: the text before calls is their plan', async () => {
    type Body = z.infer<typeof cohereRequest>;
    const bodies = [
      cohere
        .stream(
          cohere.plan('I look.'),
          cohere.callStart(0, 'call_a'),
          cohere.callDelta(0, '{"city":'),
          cohere.callDelta(0, '"Lisbon"}'),
          cohere.callEnd(0),
          cohere.callStart(1, 'call_b', '{"city":"Atlantis"}'),
          cohere.callEnd(1),
          cohere.end('TOOL_CALL'),
        )
        .replaceAll('"name":"f"', '"name":"weather"'),
      cohere.stream(...cohere.textBlock('Lisbon.'), cohere.end()),
      cohere.stream(...cohere.textBlock('Home.'), cohere.end()),
    ];
    const call = (id: string, args: string) => ({
      id,
      type: 'function' as const,
      function: { name: 'weather', arguments: args },
    });
    const question: Body['messages'] = [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Where is this?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } },
          { type: 'text', text: 'Attached file, which can’t be shown to you: a.pdf (application/pdf)' },
        ],
      },
    ];
    const answered: Body['messages'] = [
      {
        role: 'assistant',
        tool_plan: 'I look.',
        tool_calls: [call('call_a', '{"city":"Lisbon"}'), call('call_b', '{"city":"Atlantis"}')],
      },
      { role: 'tool', tool_call_id: 'call_a', content: CLEAR },
      { role: 'tool', tool_call_id: 'call_b', content: UNKNOWN_CITY },
    ];
    const later: Body['messages'] = [
      { role: 'assistant', content: 'Lisbon.' },
      { role: 'user', content: 'And then?' },
    ];
    const body = (...messages: Body['messages']): Body => ({ model: 'm', stream: true, messages, tools });
    assert.deepEqual(await requestsTo(cohereRequest, '/v2/chat', bodies), [
      body(...question),
      body(...question, ...answered),
      body(...question, ...answered, ...later),
    ]);
  });
});
