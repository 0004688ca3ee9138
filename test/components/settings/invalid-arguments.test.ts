/** Any argument that a page passes: a method settles with a result or a ChatError, and the widget continues to work. */
import { expect } from '@open-wc/testing';
import type { AgentChat } from '../../../src/define.ts';
import { ChatError } from '../../../src/errors.ts';
import { mount } from '../support/mount.ts';
import { errorsOf, expectWorking, outcomeOf, reply, VALUES, describeOutcome } from '../support/wrong-values.ts';

const METHODS = [
  ...[
    'send',
    'setDraft',
    'stop',
    'regenerate',
    'edit',
    'selectBranch',
    'respond',
    'resume',
    'addMessage',
    'updateMessage',
  ],
  ...['removeMessage', 'clear', 'newThread', 'listThreads', 'openThread', 'renameThread', 'deleteThread', 'forget'],
  ...['exportConversation', 'importConversation', 'discoverAgents', 'show', 'hide', 'toggle'],
] as const satisfies readonly (keyof AgentChat)[];

describe('invalid arguments of a method', () => {
  for (const name of METHODS)
    it(`${name}() settles with a ChatError or a result, and the widget works`, async () => {
      const wrong: string[] = [];
      const errors = await errorsOf(async () => {
        const { chat } = await mount({ fetch: reply, persist: 'none' });
        for (const [label, value] of VALUES)
          for (const args of [[value], [value, value], [value, value, value]]) {
            const call = async (): Promise<unknown> =>
              // Called inside, so that a thrown error rejects.
              await Reflect.apply(chat[name] as (...args: unknown[]) => unknown, chat, args);
            const outcome = await outcomeOf(call());
            if (outcome !== undefined && !(outcome instanceof ChatError))
              wrong.push(`${label} × ${String(args.length)}: ${describeOutcome(outcome)}`);
          }
        chat.stop();
        chat.clear();
        await expectWorking(chat);
      });
      expect({ wrong, errors }).to.deep.equal({ wrong: [], errors: [] });
    });
});
