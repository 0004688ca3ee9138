/**
 * Where an open conversation stands, and what changes it. Saving, cross-tab sync and restoring read this one status; an event that
 * has no entry changes nothing.
 *
 * | status | meaning |
 * |---|---|
 * | `fresh` | empty, and nobody has asked for it: a conversation of another tab may take its place |
 * | `untouched` | begun or named by the user or the page; nothing is stored yet |
 * | `idle` | stored, and no reply is running |
 * | `running-here` | this tab has the reply |
 * | `running-elsewhere` | another tab has the reply, and this one follows |
 * | `deleted` | final: nothing of it is written, restored or sent any more |
 */
export type ThreadStatus = 'fresh' | 'untouched' | 'idle' | 'running-here' | 'running-elsewhere' | 'deleted';

export type ThreadEvent =
  /** The user or the page has named it. */
  | 'claim'
  /** It was read from the store. */
  | 'restore'
  /** A reply has begun in this tab. With an immediate `end`: a message of the user was added that is not sent. */
  | 'begin'
  | 'end'
  /** Another tab holds its lock, or reports a running reply. */
  | 'run-elsewhere'
  /** Another tab reports that its reply has ended. */
  | 'end-elsewhere'
  /** This tab has acquired the lock. */
  | 'take-over'
  | 'clear'
  | 'delete';

type Transitions = Readonly<Record<ThreadStatus, Readonly<Partial<Record<ThreadEvent, ThreadStatus>>>>>;

export const transitions: Transitions = {
  fresh: {
    claim: 'untouched',
    restore: 'idle',
    begin: 'running-here',
    'run-elsewhere': 'running-elsewhere',
    'end-elsewhere': 'idle',
    clear: 'untouched',
    delete: 'deleted',
  },
  untouched: {
    restore: 'idle',
    begin: 'running-here',
    'run-elsewhere': 'running-elsewhere',
    'end-elsewhere': 'idle',
    delete: 'deleted',
  },
  idle: { begin: 'running-here', 'run-elsewhere': 'running-elsewhere', clear: 'untouched', delete: 'deleted' },
  // If two tabs start at the same moment, each continues its own reply: the lock orders them.
  'running-here': { end: 'idle', clear: 'untouched', delete: 'deleted' },
  'running-elsewhere': { 'end-elsewhere': 'idle', 'take-over': 'idle', clear: 'untouched', delete: 'deleted' },
  deleted: {},
};

export const nextStatus = (status: ThreadStatus, event: ThreadEvent): ThreadStatus =>
  transitions[status][event] ?? status;
