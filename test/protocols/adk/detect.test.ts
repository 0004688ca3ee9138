import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { call, event, piece, run } from './streams.ts';

const counted = { usageMetadata: { totalTokenCount: 1 }, modelVersion: 'gemini-2.5-flash' };

testDetection('adk', {
  own: {
    pieces: run(piece('Hi')),
    // Gemini's chunks have the same token counts.
    'an event with the model’s count': run(event([{ text: 'Hi' }], counted)),
    'a call': run(call('c', 'f')),
    'a run that was not streamed': JSON.stringify([event([{ text: 'Hi' }])]),
    'Vertex AI': `${JSON.stringify({ author: 'a', invocation_id: 'e', content: { parts: [{ text: 'Hi' }] } })}\n`,
  },
  others: {
    'Gemini itself': [sse({ candidates: [{ content: { parts: [{ text: 'Hi' }] } }], ...counted }), 'gemini'],
    'an error alone': [sse({ error: 'ValueError: x' }), 'json'],
  },
  urls: [
    'https://a.example/run_sse',
    'https://a.example/list-apps',
    'https://l-aiplatform.googleapis.com/v1/projects/p/locations/l/reasoningEngines/1:streamQuery?alt=sse',
  ],
  otherUrls: ['https://a.example/run', 'https://a.example/apps/x'],
});
