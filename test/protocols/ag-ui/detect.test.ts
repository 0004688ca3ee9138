import { testDetection } from '../../support/detection-tests.ts';
import { sse } from '../../support/play-body.ts';
import { callTool, finished, run, say, started } from './streams.ts';

testDetection('ag-ui', {
  own: {
    'a run': run(...say('m', 'Hi')),
    'a run that has only an error': sse(started, { type: 'RUN_ERROR', message: 'x' }),
    'an error in front': sse({ type: 'RUN_ERROR', message: 'x' }, started, finished),
    'text without its run': sse(...say('m', 'Hi')),
    'a call without its run': sse(...callTool('c', 'f', '{}')),
    'a chunk': sse({ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: 'x' }),
    'a state': sse({ type: 'STATE_SNAPSHOT', snapshot: {} }),
    'a step': sse({ type: 'STEP_STARTED', stepName: 's' }),
    'an event in an envelope': `${JSON.stringify({ id: 'e1', chunk: started })}\n`,
    'an activity': sse({ type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'x', content: {} }),
  },
  others: {
    'AgentScope’s own events': [
      sse(
        { type: 'REPLY_START', reply_id: 'r', session_id: 's' },
        { type: 'TOOL_CALL_START', reply_id: 'r', tool_call_id: 'c', tool_call_name: 'f' },
      ),
      '(?!ag-ui)',
    ],
    'an older CopilotKit, in CamelCase': [sse({ type: 'TextMessageStart', messageId: 'm' }, { a: 1 }), '(?!ag-ui)'],
    'a name without its field': [sse({ type: 'TEXT_MESSAGE_START' }, { a: 1 }), '(?!ag-ui)'],
  },
  urls: ['https://a.example/ag-ui', 'https://a.example/api/agui/', 'https://a.example/api/copilotkit'],
  otherUrls: ['https://a.example/agui/other', 'https://a.example/chat'],
});
