import { openAiChat } from '../../../src/protocols/openai-chat/openai-chat.ts';
import { testBodies } from '../../support/adapter-tests.ts';
import { call as card, text, type Bare } from '../../support/bare.ts';
import { sse } from '../../support/play-body.ts';
import { call, chunk, say, stop, stream } from './wire.ts';

/** A reply that waits for its calls: each as `[id, name, arguments]`. */
const waiting = (...calls: readonly (readonly [id: string, name: string, params?: string])[]): Bare => ({
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
      name: 'the arguments come in pieces, two calls side by side',
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
      name: 'later pieces with an empty id and an empty name',
      body: stream(
        call({ index: 0, id: 'a', function: { name: 'f', arguments: '{' } }),
        call({ index: 0, id: '', function: { name: '', arguments: '}' } }),
        call({ index: 0, id: null, function: { name: null, arguments: null } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{}'])],
    },
    {
      name: 'the name comes behind the id and the first arguments',
      body: stream(
        call({ index: 0, id: 'a' }),
        call({ index: 0, function: { arguments: '{"x"' } }),
        call({ index: 0, function: { name: 'f', arguments: ':1}' } }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'])],
    },
    {
      name: 'whole calls without an index: a new id is a new call, anything else goes on',
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
      name: 'new calls under an index that is taken',
      body: stream(
        call({ index: 0, id: 'a', function: f('{"x":1}') }),
        call({ index: 0, id: 'b', function: f('{"x":2}') }),
        stop('tool_calls'),
      ),
      messages: [waiting(['a', 'f', '{"x":1}'], ['b', 'f', '{"x":2}'])],
    },
    {
      name: 'ids that are missing or taken are made anew',
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
      name: 'a custom tool’s words',
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
      name: 'an end mark, but no reason',
      body: stream(call({ index: 0, id: 'a', function: f('{}') })),
      messages: [waiting(['a', 'f', '{}'])],
    },
    {
      name: 'neither: a call that may go on',
      body: sse(call({ index: 0, id: 'a', function: f('{}') })),
      messages: [{ ...waiting(['a', 'f', '{}']), status: 'interrupted', finish: 'error' }],
      problem: 'cut',
    },
    {
      name: 'a reason that speaks of calls where there are none',
      body: stream(say('Hi'), stop('tool_calls')),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('Hi')] }],
    },
    {
      name: 'calls that were cut off by the length are not to be run',
      body: stream(call({ index: 0, id: 'a', function: f('{"x":') }), stop('length')),
      messages: [{ ...waiting(['a', 'f', '{"x":']), finish: 'max_tokens' }],
    },
    {
      name: 'a call that never gets a name is none',
      body: stream(say('Hi'), call({ index: 0, id: 'a', function: { arguments: '{}' } }), stop()),
      messages: [{ status: 'complete', finish: 'complete', blocks: [text('Hi')] }],
    },
    {
      name: 'what stands on a call is kept for the next turn',
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
