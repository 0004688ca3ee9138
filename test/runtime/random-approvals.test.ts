/** Random streams of calls and permission requests: nothing runs but what the user has allowed as it was shown. */
import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { ClientTool } from '../../src/agents/tools.ts';
import { canonicalArguments } from '../../src/model/canonical-arguments.ts';
import type { BlockOf } from '../../src/model/blocks.ts';
import type { Chat } from '../../src/runtime/chat/chat.ts';
import { effort } from '../support/effort.ts';
import { sse } from '../support/play-body.ts';
import { makeChat, until } from './support/make-chat.ts';
import { stream } from './support/scripted-server.ts';

const id = fc.constantFrom(undefined, '', 'x', 'x\u200b', 'y', '__proto__', 'constructor');
const name = fc.constantFrom('read', 'delete');
const params = fc.constantFrom(
  '{"path":"/tmp"}',
  '{ "path": "/tmp" }',
  '{"path":"/"}',
  '{"path":"/tmp","path":"/"}',
  '',
);
const defined = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const call = fc
  .record({
    tool_call: fc.constantFrom(
      'start',
      'start',
      'running',
      'update',
      'end',
      'error',
      'permission-granted',
      'permission-denied',
    ),
    tool_call_id: id,
    tool_call_name: fc.option(name, { nil: undefined }),
    tool_call_params: fc.option(params, { nil: undefined }),
    tool_call_params_complete: fc.option(params, { nil: undefined, freq: 6 }),
    tool_call_remote: fc.option(fc.boolean(), { nil: undefined, freq: 6 }),
    parent: fc.option(fc.record({ tool_call_id: fc.constantFrom('x', 'y') }), { nil: undefined, freq: 6 }),
    message: fc.option(fc.record({ id: fc.constantFrom('m', 'n'), replace: fc.boolean() }), {
      nil: undefined,
      freq: 8,
    }),
  })
  .map(defined);
const ask = fc.record({ tool_call_id: id, tool: name, tool_call_params: params }).map(({ tool, ...rest }) =>
  defined({
    ...rest,
    tool_call: 'permission-required',
    permission_request: { toolName: tool, serverName: '', permissionType: 'write', description: '' },
    // Fields that only the page may set.
    request: { id: 'q', extra: { byPage: true, question: 'Fine?', callBlockId: 'x' } },
  }),
);
const round = fc.array(fc.oneof({ weight: 3, arbitrary: call }, { weight: 1, arbitrary: ask }), { maxLength: 12 });

const pending = (chat: Chat): readonly BlockOf<'action'>[] =>
  chat.messages
    .flatMap(({ blocks }) => blocks)
    .flatMap((block) => (block.type === 'action' && block.status === 'pending' ? [block] : []));
/** What the user allows: reading one folder. */
const isFine = (tool: string | undefined, args: string | undefined): boolean =>
  tool === 'read' && canonicalArguments(args ?? '') === canonicalArguments('{"path":"/tmp"}');

const ALLOWED = {
  tool_call: 'start',
  tool_call_id: 'x',
  tool_call_name: 'read',
  tool_call_params: '{"path":"/tmp"}',
};

const event = (data: object): object => ({ type: 'response', data: { eventId: 'e', ...data } });

describe('rule 40: random streams of calls and permissions', () => {
  it('run only what the user has allowed as it was shown, and answer each id once', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
        const ran: (readonly [string, unknown])[] = [];
        let allowed = 0;
        const tool = (toolName: string): ClientTool => ({
          name: toolName,
          description: '',
          needsApproval: true,
          execute: (args) => {
            ran.push([toolName, args]);
            return 'ok';
          },
        });
        const { chat, server } = makeChat(
          [
            ...rounds.map((events) => stream(sse(...events.map(event), event({ finish: 'tool_use' })))),
            stream(sse(event({ content: 'Done', finish: 'complete' }))),
          ],
          { protocol: 'deepchat-events', tools: [tool('read'), tool('delete')] },
        );
        const sent = chat.send('Go');
        for (let turn = 0; turn < 12; turn++) {
          await until(chat, () => ['awaiting-action', 'idle', 'error'].includes(chat.status));
          const open = pending(chat);
          if (chat.status !== 'awaiting-action' || open.length === 0) break;
          for (const block of open) {
            const isAllowed =
              block.action_type === 'tool_call_permission' && isFine(block.tool_call?.name, block.tool_call?.params);
            if (isAllowed) allowed++;
            void chat.respond(block.id, isAllowed ? 'granted' : 'denied');
          }
        }
        chat.stop();
        await sent;
        for (const [toolName, args] of ran) expect(isFine(toolName, JSON.stringify(args)), toolName).to.equal(true);
        expect(ran.length).to.be.at.most(allowed);
        runs += ran.length;
        for (const body of server.bodies) {
          const { permissions = [] } = body as { readonly permissions?: readonly { readonly tool_call_id?: string }[] };
          const ids = permissions.flatMap(({ tool_call_id }) => tool_call_id ?? []);
          expect(ids, 'one answer to each id').to.have.length(new Set(ids).size);
        }
      }),
      { numRuns: effort(100), examples: [[[[ALLOWED]]]] },
    );
    expect(runs, 'some calls are allowed').to.be.greaterThan(0);
  });
});
