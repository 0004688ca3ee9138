import { expect } from '@open-wc/testing';
import {
  appendMessages,
  continueBranch,
  replaceMessage,
  truncateAfter,
  emptyThread,
  removeMessage,
  selectBranch,
  siblingsOf,
  type Thread,
} from '../../src/conversation/thread.ts';
import type { ChatMessage } from '../../src/model/message.ts';
import { NOW } from '../support/play-body.ts';

let clock = NOW;
const message = (id: string, role: ChatMessage['role'] = 'assistant', parentId?: string): ChatMessage => ({
  id,
  role,
  status: 'complete',
  blocks: [],
  timestamp: clock++,
  ...(parentId !== undefined && { parentId }),
});

/** `a←- b←a`: each message with its parent. */
const chain = (messages: readonly ChatMessage[]): string =>
  messages.map(({ id, parentId }) => `${id}←${parentId ?? '-'}`).join(' ');
const show = ({ path, hidden }: Thread): string => `${chain(path)} / ${chain(hidden)}`;

const base = (): Thread =>
  appendMessages(emptyThread, [message('u1', 'user'), message('a1'), message('u2', 'user'), message('a2')]);
/** The thread with its last reply regenerated. */
const branched = (): Thread => appendMessages(truncateAfter(base(), 'u2'), [message('a2b')]);

describe('thread', () => {
  it('sets the parent of appended messages', () => {
    expect(show(base())).to.equal('u1←- a1←u1 u2←a1 a2←u2 / ');
  });

  it('keeps a message that already has its parent the same object', () => {
    const next = message('a3', 'assistant', 'a2');
    expect(appendMessages(base(), [next]).path.at(-1)).to.equal(next);
  });

  it('makes the messages after the cut a branch', () => {
    expect(show(branched())).to.equal('u1←- a1←u1 u2←a1 a2b←u2 / a2←u2');
  });

  it('is cut at its beginning without an id', () => {
    const edited = appendMessages(truncateAfter(base(), undefined), [message('u1b', 'user'), message('a1b')]);
    expect(show(edited)).to.equal('u1b←- a1b←u1b / u1←- a1←u1 u2←a1 a2←u2');
    expect(show(selectBranch(edited, 'u1b', 0))).to.equal('u1←- a1←u1 u2←a1 a2←u2 / u1b←- a1b←u1b');
  });

  it('lists the branches of a message in the order of their creation, whichever is active', () => {
    const thread = branched();
    const names = (shown: Thread, id: string): string[] =>
      siblingsOf(
        shown,
        shown.path.find((one) => one.id === id)!,
      ).map((one) => one.id);
    expect(names(thread, 'a2b')).to.deep.equal(['a2', 'a2b']);
    expect(names(selectBranch(thread, 'a2b', 0), 'a2')).to.deep.equal(['a2', 'a2b']);
    expect(names(thread, 'a1')).to.deep.equal(['a1']);
    expect(names(base(), 'a2')).to.deep.equal(['a2']);
  });

  it('keeps that order for branches of the same millisecond', () => {
    const [left, right] = ['x', 'y'].map((id) => ({ ...message(id), timestamp: NOW }));
    const thread = appendMessages(truncateAfter(appendMessages(base(), [left!]), 'a2'), [right!]);
    const order = (shown: Thread): string[] => siblingsOf(shown, shown.path.at(-1)!).map((one) => one.id);
    expect(order(thread)).to.deep.equal(order(selectBranch(thread, 'y', order(thread).indexOf('x'))));
  });

  it('selects another branch down to its newest end', () => {
    // Another branch at the first question, with two ends.
    const first = appendMessages(truncateAfter(branched(), 'u1'), [
      message('a1b'),
      message('u3', 'user'),
      message('a3'),
    ]);
    const second = appendMessages(truncateAfter(first, 'u3'), [message('a3b')]);
    const back = selectBranch(second, 'a1b', 0);
    expect(chain(back.path)).to.equal('u1←- a1←u1 u2←a1 a2b←u2');
    expect(chain(selectBranch(back, 'a1', 1).path)).to.equal('u1←- a1b←u1 u3←a1b a3b←u3');
  });

  it('loses no message over any selection', () => {
    let thread = branched();
    for (const index of [0, 1, 0, 0, 1]) {
      thread = selectBranch(thread, thread.path.at(-1)!.id, index);
      expect([...thread.path, ...thread.hidden].map(({ id }) => id).sort()).to.deep.equal([
        'a1',
        'a2',
        'a2b',
        'u1',
        'u2',
      ]);
    }
  });

  for (const [name, id, index] of [
    ['the active branch', 'a2b', 1],
    ['an unknown branch', 'a2b', 7],
    ['an unknown message', 'x', 0],
  ] as const) {
    it(`changes nothing when ${name} is selected`, () => {
      const thread = branched();
      expect(selectBranch(thread, id, index)).to.equal(thread);
    });
  }

  it('replaces one message and no other', () => {
    const thread = base();
    const next = replaceMessage(thread, 'a1', (before) => ({ ...before, status: 'error' }));
    expect(next.path.map((one, index) => one === thread.path[index])).to.deep.equal([true, false, true, true]);
    expect(replaceMessage(thread, 'x', (before) => before)).to.equal(thread);
  });

  const removals = [
    { name: 'the first message', id: 'u1', path: 'a1←- u2←a1 a2←u2' },
    { name: 'a message in the middle', id: 'a1', path: 'u1←- u2←u1 a2←u2' },
    { name: 'the last message', id: 'a2', path: 'u1←- a1←u1 u2←a1' },
    { name: 'none', id: 'x', path: 'u1←- a1←u1 u2←a1 a2←u2' },
  ];
  for (const { name, id, path } of removals) {
    it(`removes ${name}`, () => {
      expect(chain(removeMessage(base(), id).path)).to.equal(path);
    });
  }

  it('keeps the other branches of a removed message selectable', () => {
    const thread = removeMessage(branched(), 'u2');
    expect(show(thread)).to.equal('u1←- a1←u1 a2b←a1 / a2←a1');
    expect(chain(selectBranch(thread, 'a2b', 0).path)).to.equal('u1←- a1←u1 a2←a1');
  });

  it('continues a branch in time proportional to their number', () => {
    let reads = 0;
    const length = 1000;
    const hidden = Array.from({ length }, (_, index) => {
      const parentId = index === 0 ? undefined : `h${String(index - 1)}`;
      return Object.defineProperty(message(`h${String(index)}`), 'parentId', {
        get: () => {
          reads++;
          return parentId;
        },
      });
    });
    expect(continueBranch({ path: [], hidden }).path.map(({ id }) => id)).to.deep.equal(hidden.map(({ id }) => id));
    expect(reads).to.be.at.most(4 * length);
  });
});
