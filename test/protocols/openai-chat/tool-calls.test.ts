import { adapter as openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call as card, text, type ExpectedFields } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { call, chunk, say, stop, stream } from './streams.ts';

/** A reply that waits for its calls: each as `[id, name, arguments]`. */
const waiting = (...calls: readonly (readonly [id: string, name: string, params?: string])[]): ExpectedFields => ({
  status: 'complete',
  finish: 'tool_use',
  blocks: calls.map(([id, name, params]) =>
    card(id, name, params === undefined ? {} : { params }, { status: 'loading' }),
  ),
});
const f = (args?: string | object) => ({ name: 'f', ...(args !== undefined && { arguments: args }) });

describe('openai-chat, tool calls', () => {
  testBodies(openAiChat, [
    {
      name: 'an id that changes from chunk to chunk of one call',
      body: stream(
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
        call({ index: 0, id: 'b', function: { arguments: '{"x":' } }),
        call({ index: 0, id: 'c', function: { name: '', arguments: '1}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'])],
    },
    {
      name: 'an id with two indexes is one call',
      body: stream(
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '' } }),
        call({ index: 1, id: 'a', function: { arguments: '{"x":' } }),
        call({ index: 1, function: { arguments: '1}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'])],
    },
    {
      name: 'a name in chunks',
      body: stream(
        call({ index: 0, id: 'a', function: { name: 'edit_ex', arguments: '' } }),
        call({ index: 0, function: { name: 'isting_file' } }),
        call({ index: 0, function: { arguments: '{}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'edit_existing_file', '{}'])],
    },
    {
      name: 'white space before a call stays before it',
      body: stream(
        say('Let me look.\n\n'),
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
        stop('tool_calls'),
      ),
      messages: [
        {
          status: 'complete',
          finish: 'tool_use',
          blocks: [text('Let me look.\n\n'), card('a', 'f', { params: '{}' }, { status: 'loading' })],
        },
      ],
    },
    {
      name: 'a partial tag before a call was text',
      body: stream(say('a\n</th'), chunk({ function_call: { name: 'f', arguments: '{}' } }), stop('function_call')),
      messages: [
        {
          status: 'complete',
          finish: 'tool_use',
          blocks: [text('a\n</th'), card('new1', 'f', { params: '{}' }, { status: 'loading' })],
        },
      ],
    },
    {
      name: 'white space before a refusal stays before it',
      body: stream(say('Well,\n'), chunk({ refusal: 'no.' }), stop()),
      messages: [{ status: 'error', finish: 'error', metadata: { filtered: true }, blocks: [text('Well,\nno.')] }],
    },
    {
      name: 'arguments in chunks, two interleaved calls',
      body: stream(
        call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
        call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{"y"' } }),
        call({ index: 0, function: { arguments: '{"x":1}' } }),
        call({ index: 1, function: { arguments: ':2}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'], ['b', 'g', '{"y":2}'])],
    },
    {
      name: 'later chunks with an empty id and an empty name',
      body: stream(
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }),
        call({ index: 0, id: '', function: { name: '', arguments: '}' } }),
        call({ index: 0, id: null, function: { name: null, arguments: null } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{}'])],
    },
    {
      name: 'the name comes after the id and the first arguments',
      body: stream(
        call({ index: 0, id: 'a' }),
        call({ index: 0, function: { arguments: '{"x"' } }),
        call({ index: 0, function: { name: 'f', arguments: ':1}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'])],
    },
    {
      name: 'complete calls without an index: a new id is a new call, anything else continues',
      body: stream(
        chunk({
          tool_calls: [
            { id: 'a', function: f('{"x":1}') },
            { id: 'b', function: f('{"x"') },
          ],
        }),
        call({ function: { arguments: ':2}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'], ['b', 'f', '{"x":2}'])],
    },
    {
      name: 'new calls with an index that is in use',
      body: stream(
        call({ index: 0, id: 'a', function: f('{"x":1}') }),
        call({ index: 0, id: 'b', function: f('{"x":2}') }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'], ['b', 'f', '{"x":2}'])],
    },
    {
      name: 'missing or duplicate ids are replaced',
      body: stream(
        call({ index: 0, function: f('{}') }),
        call({ index: 1, id: 'a', function: f('{}') }),
        call({ index: 2, id: 'a', function: f('{}') }),
        stop('tool_calls'),
      ),
      messages: [waiting(['new1', 'f', '{}'], ['a', 'f', '{}'], ['new2', 'f', '{}'])],
    },
    {
      name: 'arguments as an object, and none',
      body: stream(
        call({ index: 0, id: 'a', function: f({ x: 1 }) }),
        call({ index: 1, id: 'b', function: f('') }),
        call({ index: 2, id: 'c', function: f() }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'], ['b', 'f'], ['c', 'f'])],
    },
    {
      name: 'a custom tool’s text',
      body: stream(
        call({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'select ' } }),
        call({ index: 0, custom: { input: '1' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'sql', 'select 1'])],
    },
    {
      name: 'a function call of the old form',
      body: stream(
        chunk({ function_call: { name: 'f', arguments: '{' } }),
        chunk({ function_call: { arguments: '}' } }),
        stop('function_call'),
      ),
      messages: [waiting(['new1', 'f', '{}'])],
    },
    {
      name: 'a reason that hides the calls',
      body: stream(call({ index: 0, id: 'a', function: f('{}') }), stop('stop')),
      messages: [waiting(['a', 'f', '{}'])],
    },
    {
      name: 'an end marker, but no reason',
      body: stream(call({ index: 0, id: 'a', function: f('{}') })),
      messages: [waiting(['a', 'f', '{}'])],
    },
    {
      name: 'neither: an incomplete call',
      body: sse(call({ index: 0, id: 'a', function: f('{}') })),
      messages: [{ ...waiting(['a', 'f', '{}']), status: 'interrupted', finish: 'error' }],
      problem: 'cut',
    },
    {
      name: 'a reason for calls without any call',
      body: stream(say('Hi'), stop('tool_calls')),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('Hi')] }],
    },
    {
      name: 'calls that were truncated by the length are not run',
      body: stream(call({ index: 0, id: 'a', function: f('{"x":') }), stop('length')),
      messages: [{ ...waiting(['a', 'f', '{"x":']), finish: 'max_tokens' }],
    },
    {
      name: 'a call without a name is ignored',
      body: stream(say('Hi'), call({ index: 0, id: 'a', function: { arguments: '{}' } }), stop()),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('Hi')] }],
    },
    {
      name: 'extra fields of a call are stored for the next turn',
      body: stream(
        call({ index: 0, id: 'a', function: f('{}'), extra_content: { google: { thought_signature: 's' } } }),
        call({ index: 1, id: 'b', function: f('{}') }),
        stop('tool_calls'),
      ),
      messages: [
        {
          ...waiting(['a', 'f', '{}'], ['b', 'f', '{}']),
          metadata: {
            rounds: [
              {
                protocol: 'openai-chat',
                items: [{ calls: ['a', 'b'], extra_content: { a: { google: { thought_signature: 's' } } } }],
              },
            ],
          },
        },
      ],
    },
  ]);
});
