/** From a turn to a server's answer: who is asked, how often, and what is asked for when an answer broke off. */
import { ChatError } from '../errors.ts';
import { autoRequest } from '../protocols/auto-request.ts';
import type { Adapter } from '../protocols/adapter.ts';
import type { ProtocolEntry } from '../protocols/registry.ts';
import { exchange, type Exchange } from './exchange.ts';
import { firstContact } from './first-contact.ts';
import type { PickedUp } from './pick-up.ts';
import { offline, untilOnline } from './online.ts';
import { isAbort } from './read-response.ts';
import { guessByUrl } from './recognise.ts';
import type { Reply, RetryWait } from './reply.ts';
import { backoff, PICK_UPS, waitBeforeRetry, type RetryRule } from './retry.ts';
import type { Answered } from './send-request.ts';
import type { ChatSettings } from './settings.ts';
import { sleep } from './within.ts';

export function endpointOf({ endpoint }: ChatSettings): URL {
  if (endpoint === undefined || endpoint === '') {
    throw new ChatError('network', 'There is no endpoint: set the attribute "endpoint".', { reason: 'no-endpoint' });
  }
  return new URL(endpoint, location.href);
}

/** The adapter in use: the page's, the one found before, or one that the URL suggests. */
export function entryFor(
  { settings, protocols, known }: Pick<Reply, 'settings' | 'protocols' | 'known'>,
  url: URL,
): ProtocolEntry | undefined {
  const { protocol = 'auto' } = settings;
  if (typeof protocol !== 'string') {
    const { id, label = id } = protocol;
    const load = async (): Promise<Adapter> =>
      'events' in protocol ? (await import('../protocols/map-protocol.ts')).mapProtocol(protocol) : protocol;
    return { id, label, load };
  }
  if (protocol !== 'auto') {
    const entry = protocols.get(protocol);
    if (entry) return entry;
    const ids = protocols.list().map(({ id }) => id);
    throw new ChatError('protocol', `There is no protocol "${protocol}". Known are: ${ids.join(', ')}, auto.`, {
      reason: 'bad-protocol',
      values: { protocol },
    });
  }
  return known === undefined ? guessByUrl(url, protocols.list()) : protocols.get(known);
}

/** What builds the request. What can't be fetched without a network is fetched with it. */
export async function adapterFor(reply: Reply, url: URL): Promise<Adapter | undefined> {
  const entry = entryFor(reply, url);
  for (;;) {
    try {
      return await entry?.load();
    } catch (cause) {
      if (navigator.onLine || reply.signal.aborted) throw cause;
      await waitForNetwork(reply, 0);
    }
  }
}

/** Whether the page has named the protocol: then nothing is to be recognised. */
export const isChosen = ({ protocol = 'auto' }: ChatSettings): boolean => protocol !== 'auto';

export async function sendWithRetries(reply: Reply, way: Exchange): Promise<Answered> {
  const { adapter, settings } = way;
  const rule: RetryRule = settings.retry ?? (adapter?.kind === 'model' ? 'auto' : 'safe');
  let facts: unknown;
  for (let attempt = 0; ;) {
    const wasOffline = !navigator.onLine;
    try {
      const answered = await exchange(way, async (options) => {
        if (!adapter) return autoRequest(way.turn, options);
        const request = await adapter.request(way.turn, { ...options, facts });
        ({ facts } = request);
        return request;
      });
      if (answered) return answered;
      throw new ChatError('protocol', `The protocol "${adapter?.id ?? ''}" has nothing to send.`, {
        reason: 'unexpected',
      });
    } catch (error) {
      // A browser that says so may be wrong, so it is tried. Failed, it has not gone out, and can't go out twice.
      if (wasOffline && !navigator.onLine && isOfNetwork(error)) {
        await waitForNetwork(reply, attempt);
        continue;
      }
      if (!(error instanceof ChatError)) throw error;
      const wait = waitBeforeRetry(error, rule, attempt, Math.random());
      if (wait === undefined) {
        const isFirst = !isChosen(settings) && reply.known === undefined;
        throw isFirst ? tellDeveloper(firstContact(error, adapter?.id)) : error;
      }
      await waitForRetry(reply, wait, attempt, error);
      attempt++;
    }
  }
}

/** The request's own failure, or that of what the page does for it, such as fetching a token. */
const isOfNetwork = (error: unknown): boolean =>
  error instanceof ChatError ? error.reason === 'offline' : !isAbort(error);

/** A first contact that failed is a matter of settings, and the console is where those are looked into. */
function tellDeveloper(error: ChatError): ChatError {
  if (error.reason === 'first-contact') console.warn(`<agent-chat>: ${error.message}`);
  return error;
}

/** Asks for a reply that broke before; there is nobody yet who reads it. */
export async function pickUpOnce(reply: Reply, way: Exchange): Promise<Answered> {
  const again = await askForRest(way, undefined);
  if (!again) {
    throw new ChatError('protocol', 'There is nothing to pick up: the protocol can’t do it with this reply.', {
      reason: 'no-resume',
    });
  }
  if (again.from === 'start') reply.restart();
  return again.answered;
}

interface Trial {
  readonly attempt: number;
  readonly error: ChatError;
  readonly lastEventId?: string | undefined;
}

/** Asks for the rest after a wait. A server that can't be reached yet is asked once more by whoever reads. */
export async function pickUpAgain(reply: Reply, way: Exchange, { attempt, error, lastEventId }: Trial) {
  if (!way.adapter?.resume || way.signal.aborted) return undefined;
  const turn = { ...way.turn, messages: reply.conversation() };
  for (let trial = attempt; trial < PICK_UPS; trial++) {
    await waitForRetry(reply, backoff(trial), trial, error);
    try {
      return await askForRest({ ...way, turn }, lastEventId);
    } catch (cause) {
      if (!(cause instanceof ChatError) || cause.status !== undefined) return undefined;
    }
  }
  return undefined;
}

const NOTHING_RUNS = 204;

async function askForRest(way: Exchange, lastEventId: string | undefined): Promise<PickedUp | undefined> {
  const { adapter, settings, turn } = way;
  let from: PickedUp['from'] = 'start';
  // The page's `body` belongs to the turn, which has been sent.
  const answered = await exchange({ ...way, settings: { ...settings, body: undefined } }, async (options) => {
    const resumption = await adapter?.resume?.(turn, { ...options, lastEventId });
    if (resumption) ({ from } = resumption);
    return resumption?.request;
  });
  if (!answered) return undefined;
  if ('response' in answered && answered.response.status === NOTHING_RUNS) {
    throw new ChatError('protocol', 'There is nothing to pick up: the agent is not answering any more.', {
      reason: 'no-resume',
      status: NOTHING_RUNS,
    });
  }
  return { answered, from };
}

/** The server has nothing more to say of a reply. */
export const saysNothingRuns = ({ reason, status }: ChatError): boolean =>
  reason === 'no-resume' && status === NOTHING_RUNS;

const waitForRetry = (reply: Reply, wait: number, attempt: number, error: ChatError): Promise<void> =>
  waitFor((signal) => sleep(wait, signal), reply, { until: Date.now() + wait, attempt: attempt + 1, error });

const waitForNetwork = (reply: Reply, attempt: number): Promise<void> =>
  waitFor(untilOnline, reply, { attempt: attempt + 1, error: offline() });

/** Waits, for all to see, until that is over or the reader says "now". */
async function waitFor(
  over: (signal: AbortSignal) => Promise<void>,
  reply: Reply,
  wait: Omit<RetryWait, 'now'>,
): Promise<void> {
  const skip = new AbortController();
  reply.waiting({
    ...wait,
    now: () => {
      skip.abort();
    },
  });
  try {
    await over(AbortSignal.any([reply.signal, skip.signal]));
  } catch (cause) {
    if (reply.signal.aborted) throw cause;
  } finally {
    reply.waiting(undefined);
  }
}
