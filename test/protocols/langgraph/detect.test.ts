import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { ai, events, human, piece, run, v2, values } from './streams.ts';

testDetection('langgraph', {
  own: {
    'a run': run(piece('a', 'Hi')),
    'pieces without a beginning': events(piece('a', 'Hi')),
    'pieces of a subgraph': events(['messages|team:1', [ai('a', 'Hi'), {}]]),
    'the state alone': events(values(human)),
    'what nodes return': events(['updates', { agent: { messages: [] } }]),
    'whole messages': events(['messages/partial', [ai('a', 'Hi')]]),
    'an error in front': events(['error', { error: 'x', message: 'y' }], values(human)),
    'the newer protocol': v2(['lifecycle', { event: 'running' }]),
    'its words': v2(['messages', { event: 'message-start', id: 'm' }]),
  },
  others: {
    'metadata of somebody else': [sse({ event: 'metadata', data: { chatId: 'c' } }), 'flowise'],
    'an error alone': [events(['error', { error: 'x', message: 'y' }]), 'json'],
    'Dify, whose names stand inside': [sse({ event: 'message', task_id: 't', answer: 'x' }), 'dify'],
    // LangServe's `/stream`: langserve/api_handler.py
    'LangServe, whose data are strings': [
      events(['metadata', { run_id: 'r' }], ['data', 'Hel'], ['data', 'lo'], ['end', {}]),
      '(?!langgraph)',
    ],
    'LangServe, whose data are messages': [
      events(['metadata', { run_id: 'r' }], ['data', { content: 'Hel', type: 'AIMessageChunk' }], ['end', {}]),
      '(?!langgraph)',
    ],
    'metadata and an error': [
      events(['metadata', { run_id: 'r' }], ['error', { error: 'x', message: 'y' }]),
      'langgraph',
    ],
    'an MCP server': ['event: message\ndata: {"jsonrpc":"2.0","result":{}}\n\n', '(?!langgraph)'],
  },
  urls: [
    'https://a.example/runs/stream',
    'https://a.example/threads/t/runs/stream?x=1',
    'https://a.example/api/threads/t/stream/events',
  ],
  otherUrls: ['https://a.example/threads/t/runs', 'https://a.example/stream'],
});
