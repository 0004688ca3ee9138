import { adapter as adk } from '../../../src/protocols/adk/adk.ts';
import { testBodies, testNeverThrows, testRecordings } from '../../support/adapter-tests.ts';
import { call as callBlock, failure, text, thought, type ExpectedFields } from '../../support/bare.ts';
import { call, confirmation, event, piece, result, run } from './streams.ts';

const remote = { extra: { remote: true } };
const doneReply = (blocks: readonly ExpectedFields[], more: ExpectedFields = {}): ExpectedFields => ({
  status: 'complete',
  finish: 'complete',
  metadata: { messageId: 'x', author: 'agent' },
  ...more,
  blocks,
});
const cut = { status: 'interrupted', finish: 'error' };
const failed = { status: 'error', finish: 'error' };
const original = { id: 'c', name: 'delete_file', args: { path: 'a' } };
const oldCall = callBlock('c', 'delete_file', { params: '{"path":"a"}' }, { ...remote, status: 'loading' });
const question = (more: ExpectedFields): ExpectedFields => ({ type: 'action', status: 'pending', ...more });

describe('adk', () => {
  testRecordings(adk, 'adk');

  testBodies(adk, [
    {
      name: 'chunks, and the complete text that repeats them',
      body: run(piece('Hel'), piece('lo'), event([{ text: 'Hello' }])),
      messages: [doneReply([text('Hello')])],
    },
    {
      name: 'two answers of the same agent',
      body: run(event([{ text: 'One.' }]), piece('Two'), piece('.'), event([{ text: 'Two.' }])),
      messages: [doneReply([text('One.'), text('Two.')])],
    },
    {
      name: 'a complete text that is longer than its chunks',
      body: run(piece('Hel'), event([{ text: 'Hello' }])),
      messages: [doneReply([text('Hello')])],
    },
    {
      name: 'a complete text that a callback has changed',
      body: run(piece('The password is'), event([{ text: 'I can’t say that.' }])),
      messages: [doneReply([text('I can’t say that.')])],
    },
    {
      name: 'reasoning and then text in one complete event',
      body: run(event([{ text: 'Hm', thought: true }, { text: 'Hi' }])),
      messages: [doneReply([thought('Hm'), text('Hi')])],
    },
    {
      name: 'the end of the body is the end; chunks alone are complete if they say so',
      body: run(piece('Hi', { finishReason: 'STOP' })),
      messages: [doneReply([text('Hi')])],
    },
    {
      name: 'chunks without a complete text are interrupted',
      body: run(piece('Hel')),
      messages: [doneReply([text('Hel')], cut)],
      problem: 'cut',
    },
    {
      name: 'a tool that fails',
      body: run(call('c', 'f'), result('c', 'f', { error: 'No such city' }), event([{ text: 'Sorry' }])),
      messages: [
        doneReply([
          callBlock('c', 'f', { params: '{}', response: 'No such city' }, { ...remote, status: 'error' }),
          text('Sorry'),
        ]),
      ],
    },
    {
      name: 'a result that is not an object',
      body: run(call('c', 'f'), result('c', 'f', { result: 'Sunny' })),
      messages: [doneReply([callBlock('c', 'f', { params: '{}', response: 'Sunny' }, remote)])],
    },
    {
      name: 'a call in chunks is shown when it is complete',
      body: run(
        event(
          [{ functionCall: { name: 'f', willContinue: true, partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }] } }],
          {
            partial: true,
          },
        ),
        call('c', 'f', { a: 'x' }),
        result('c', 'f', { result: 1 }),
      ),
      messages: [doneReply([callBlock('c', 'f', { params: '{"a":"x"}', response: '1' }, remote)])],
    },
    {
      name: 'a confirmation; the tool’s preliminary response is not a result',
      body: run(
        call('c', 'delete_file', { path: 'a' }),
        confirmation('q', original),
        result(
          'c',
          'delete_file',
          { error: 'This tool call requires confirmation.' },
          {
            actions: { requestedToolConfirmations: { c: { hint: 'Delete it?' } } },
          },
        ),
      ),
      messages: [
        doneReply(
          [
            oldCall,
            question({
              action_type: 'tool_call_permission',
              tool_call: { id: 'c', name: 'delete_file', params: '{"path":"a"}' },
              content: 'Delete it?',
              extra: {
                adk: 'adk_request_confirmation',
                requestId: 'q',
                permissionType: 'all',
                serverName: '',
                toolName: 'delete_file',
              },
            }),
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a question',
      body: run(
        call('q', 'adk_request_input', {
          interruptId: 'q',
          message: 'Which size?',
          response_schema: { type: 'string' },
        }),
      ),
      messages: [
        doneReply(
          [
            question({
              action_type: 'question',
              content: 'Which size?',
              extra: { adk: 'adk_request_input', requestId: 'q', schema: '{"type":"string"}' },
            }),
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a choice of the kit',
      body: run(call('q', 'get_user_choice', { options: ['Red', 'Blue', 3] }, { longRunningToolIds: ['q'] })),
      messages: [
        doneReply(
          [
            question({
              action_type: 'question',
              extra: {
                adk: 'get_user_choice',
                requestId: 'q',
                options: [
                  { label: 'Red', value: 'Red' },
                  { label: 'Blue', value: 'Blue' },
                ],
              },
            }),
          ],
          { status: 'streaming', finish: 'tool_use' },
        ),
      ],
    },
    {
      name: 'a tool of the server with the same name',
      body: run(call('c', 'get_user_choice', { options: ['Red'] }), result('c', 'get_user_choice', { result: 'Red' })),
      messages: [
        doneReply([callBlock('c', 'get_user_choice', { params: '{"options":["Red"]}', response: 'Red' }, remote)]),
      ],
    },
    {
      name: 'a tool of the server that takes long',
      body: run(
        call('c', 'ask_boss', {}, { longRunningToolIds: ['c'] }),
        result('c', 'ask_boss', { status: 'pending' }),
        event([{ text: 'Asked.' }]),
      ),
      messages: [
        doneReply([
          callBlock('c', 'ask_boss', { params: '{}', response: '{"status":"pending"}' }, remote),
          text('Asked.'),
        ]),
      ],
    },
    {
      name: 'images, files and bytes in the base64url alphabet',
      body: run(
        event([
          { inlineData: { mimeType: 'image/png', data: 'a-_b' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://f.example/a.pdf', displayName: 'a.pdf' } },
        ]),
      ),
      messages: [
        doneReply([
          { type: 'image', image_data: { data: 'a+/b', mimeType: 'image/png' } },
          { type: 'file', url: 'https://f.example/a.pdf', mimeType: 'application/pdf', name: 'a.pdf' },
        ]),
      ],
    },
    {
      name: 'code that Google runs',
      body: run(
        event([
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        ]),
      ),
      messages: [
        doneReply([
          callBlock(
            'new1',
            'code_execution',
            { params: '{"language":"PYTHON","code":"print(1)"}', response: '1' },
            remote,
          ),
        ]),
      ],
    },
    {
      name: 'artifacts',
      body: run(event(undefined, { actions: { artifactDelta: { 'report.pdf': 0 } } }), event([{ text: 'Done' }])),
      messages: [
        doneReply([{ type: 'file', name: 'report.pdf', extra: { dataId: 'artifact report.pdf' } }, text('Done')]),
      ],
    },
    {
      name: 'sources',
      body: run(
        event([{ text: 'It rains.' }], {
          groundingMetadata: {
            groundingChunks: [{ web: { uri: 'https://w.example', title: 'W' } }],
            groundingSupports: [{ segment: { endIndex: 9, text: 'It rains.' }, groundingChunkIndices: [0] }],
          },
        }),
      ),
      messages: [
        doneReply([
          text('It rains.', {
            citations: [{ id: 'https://w.example', url: 'https://w.example', title: 'W', start: 0, end: 9 }],
          }),
        ]),
      ],
    },
    {
      name: 'a run that throws',
      body: run(piece('Hel'), { error: 'ValueError: no key', error_details: { error_type: 'ValueError' } }),
      messages: [doneReply([text('Hel'), failure('ValueError: no key')], failed)],
    },
    {
      name: 'a model that refuses',
      body: run(event(undefined, { errorCode: 'SAFETY', errorMessage: 'Blocked.' })),
      messages: [{ ...failed, blocks: [failure('Blocked.', { code: 'SAFETY' })] }],
    },
    {
      name: 'the token limit is not a failure',
      body: run(event([{ text: 'Long' }], { errorCode: 'MAX_TOKENS', finishReason: 'MAX_TOKENS' })),
      messages: [doneReply([text('Long')], { finish: 'max_tokens' })],
    },
    {
      name: 'an answer that the token limit has cut',
      body: run(event([{ text: 'Half an ans' }], { finishReason: 'MAX_TOKENS' })),
      messages: [doneReply([text('Half an ans')], { finish: 'max_tokens' })],
    },
    {
      name: 'chunks that the token limit has cut, without a complete event',
      body: run(piece('Half'), piece(' an ans', { finishReason: 'MAX_TOKENS' })),
      messages: [doneReply([text('Half an ans')], { finish: 'max_tokens' })],
    },
    {
      name: 'an answer that a filter has cut',
      body: run(event([{ text: 'Half' }], { finishReason: 'SAFETY' })),
      messages: [
        doneReply([text('Half')], { ...failed, metadata: { messageId: 'x', author: 'agent', filtered: true } }),
      ],
    },
    {
      name: 'an agent that continues after a limit',
      body: run(
        event([{ text: 'Half' }], { finishReason: 'MAX_TOKENS' }),
        event([{ text: 'All' }], { finishReason: 'STOP' }),
      ),
      messages: [doneReply([text('Half'), text('All')])],
    },
    {
      name: 'an error that is an object',
      body: run(event([{ text: 'Hi' }]), { error: { code: 500, message: 'boom', status: 'INTERNAL' } }),
      messages: [doneReply([text('Hi'), failure('boom', { code: 'INTERNAL' })], failed)],
    },
    {
      name: 'an error that is the frame',
      body: run(event([{ text: 'Hi' }]), { code: 498, message: 'boom' }),
      messages: [doneReply([text('Hi'), failure('boom', { code: '498' })], failed)],
    },
    {
      name: 'an error whose code is a number',
      body: run(event([{ text: 'Hi' }]), event(undefined, { errorCode: 500, errorMessage: 'boom' })),
      messages: [doneReply([text('Hi'), failure('boom', { code: '500' })], failed)],
    },
    {
      name: 'an error without a code',
      body: run(event([{ text: 'Hi' }]), event(undefined, { errorMessage: 'boom' })),
      messages: [doneReply([text('Hi'), failure('boom')], failed)],
    },
    {
      name: 'an error without a message',
      body: run(event([{ text: 'Hi' }]), { error: {} }),
      messages: [doneReply([text('Hi'), failure('The agent reported an error.')], failed)],
    },
    {
      name: 'parallel agents with interleaved chunks',
      body: run(
        piece('A1', { author: 'a', branch: 'p.a', id: 'a' }),
        piece('B1', { author: 'b', branch: 'p.b', id: 'b' }),
        piece('A2', { author: 'a', branch: 'p.a', id: 'a2' }),
        event([{ text: 'A1A2' }], { author: 'a', branch: 'p.a' }),
        event([{ text: 'B1' }], { author: 'b', branch: 'p.b' }),
      ),
      messages: [
        doneReply([text('A1A2')], { metadata: { messageId: 'a', author: 'a' } }),
        doneReply([text('B1')], { name: 'b', metadata: { messageId: 'reply:2', author: 'b' } }),
      ],
    },
    {
      name: 'ignores the user’s own text and unknown frames',
      body: run(event([{ text: 'Hi' }], { author: 'user' }), { x: 1 }, event([{ text: 'Hello' }])),
      messages: [doneReply([text('Hello')])],
      warnings: ['unknown'],
    },
  ]);

  testNeverThrows(adk, [
    piece('Hi', { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 } }),
    event([{ text: 'Hi', thought: true }], { groundingMetadata: { groundingChunks: [{ web: { uri: 'x' } }] } }),
    call('c', 'f', {}, { longRunningToolIds: ['c'] }),
    result('c', 'f', { error: 'x' }),
    confirmation('q', original),
    event([{ inlineData: { mimeType: 'image/png', data: 'AA' } }]),
    event(undefined, { actions: { stateDelta: { a: 1 }, artifactDelta: { 'a/b': 1 }, transferToAgent: 'b' } }),
    { error: 'x' },
    { error: { code: 1, message: 'x' } },
    { code: 1, message: 'x' },
  ]);
});
