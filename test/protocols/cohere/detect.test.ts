import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { end, textBlock, start, stream } from './streams.ts';

const whole = { finish_reason: 'COMPLETE', message: { role: 'assistant', content: [] } };

testDetection('cohere', {
  own: {
    'a stream': stream(...textBlock('Hi'), end()),
    'an error in front': sse({ message: 'x' }, start),
    'a reply that was not streamed': JSON.stringify({ id: 'x', ...whole }),
  },
  others: {
    'Anthropic, with an underscore': [sse({ type: 'message_start', message: { type: 'message' } }), 'anthropic'],
    'version 1': [`{"event_type":"text-generation","text":"x"}\n{"event_type":"stream-end"}\n`, 'json-stream'],
    'an error alone': [JSON.stringify({ message: 'x' }), 'json'],
  },
  urls: ['https://api.cohere.com/v2/chat'],
  otherUrls: ['https://api.cohere.com/v1/chat', 'https://a.example/api/v2/chat'],
});
