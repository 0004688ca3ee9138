import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { toolUseBlock, textBlock, start, stop, stream } from './streams.ts';

const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

testDetection('anthropic', {
  own: {
    'a stream': stream(textBlock(0, 'Hi')),
    'a call': stream(toolUseBlock(0, 'a', '{}'), 'tool_use'),
    'a ping and an error in front': sse({ type: 'ping' }, error, start(), stop),
    'a block whose message was lost': sse(...textBlock(0, 'Hi'), stop),
    'a reply that was not streamed': JSON.stringify(start({ content: [{ type: 'text', text: 'Hi' }] }).message),
  },
  others: {
    'message fields': [sse({ type: 'message_start', message_id: 'm' }), 'message-field'],
    'Cohere, with a hyphen': [sse({ type: 'message-start', id: 'm', delta: {} }), 'cohere'],
    'an error alone': [sse(error), 'json'],
    'a session of agents on the same host': [sse({ type: 'agent.message', content: [] }), 'unsupported-stream'],
    'a message of another form': [
      sse({ object: 'message', type: 'message', stop_reason: null, content: [] }, { a: 1 }),
      '(?!anthropic)',
    ],
  },
  urls: [
    'https://api.anthropic.com/v1/messages?beta=true',
    'https://api.deepseek.com/anthropic/v1/messages',
    'https://x.example/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:streamRawPredict',
  ],
  otherUrls: [
    'https://a.example/v1/messages/batches',
    'https://a.example/v1/chat-messages',
    'https://x.example/v1/projects/p/locations/l/publishers/mistralai/models/m:streamRawPredict',
  ],
});
