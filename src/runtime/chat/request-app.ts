/** Requests of MCP Apps through the agent that has shown the app. Loaded with the first such app. */
import { selectAgent } from '../../agents/chosen-agent.ts';
import { isPageAgent } from '../../agents/is-page-agent.ts';
import { ChatError } from '../../errors.ts';
import type { AssistantMessageBlock } from '../../model/blocks.ts';
import type { ChatMessage } from '../../model/message.ts';
import type { AppRequest } from '../../protocols/core/adapter.ts';
import type { ChatHooks } from '../chat-hooks.ts';
import { detailOf, toChatError } from '../error-detail.ts';
import { createMessageRedactor } from '../masking/redact-for-sending.ts';
import { newId } from '../new-id.ts';
import { sendAdapterRequest } from '../request/send-adapter-request.ts';
import { readResponse } from '../stream/read-response.ts';
import { endpointAddress, entryFor } from '../stream/request-with-retries.ts';
import { withTimeout } from '../timeout.ts';
import { authorSettings } from './author-settings.ts';
import type { Intents } from './send-guards.ts';
import { isByRecipient, messagesFor, agentIdOf } from './reply-authors.ts';
import type { TurnController } from './turn-controller.ts';

/** The parts of a conversation that send the requests. */
export interface SideRequestContext {
  readonly intents: Intents;
  readonly turns: Pick<TurnController, 'sideRequestContext'>;
  readonly hooks: Pick<ChatHooks, 'error'>;
}

interface AppChat {
  readonly messages: readonly ChatMessage[];
  readonly parts: SideRequestContext;
}

/** The active conversation, and the user's actions in it. */
interface AppActions {
  readonly chat: AppChat;
  /** Reports an action to the page. Returns false if the page prevents it, or accepts no input. */
  act(action: string, message: ChatMessage, block: AssistantMessageBlock, payload: unknown): boolean;
}

interface Options {
  /** Whether the app makes the request when it is shown. The user is then not asked for consent. */
  readonly isAutomatic: boolean;
  /** Aborted when the app is removed. */
  readonly signal: AbortSignal;
}

type Request = Omit<AppRequest, 'id'>;

/** Time limit (ms), which is that of the MCP SDK for a request. */
const TIMEOUT_MS = 60_000;

/**
 * Returns the function that sends the requests of an app. A request belongs to the conversation and the user at the time
 * of the call, and passes the same guards as a message of the user.
 */
export const connectApp =
  (actions: AppActions, message: ChatMessage, block: AssistantMessageBlock) =>
  ({ uri, ...request }: Request & { readonly uri: string }, { isAutomatic, signal }: Options): Promise<unknown> => {
    const { chat } = actions;
    const { method, params, server } = request;
    return chat.parts.intents.begin<unknown>({
      kind: isAutomatic ? 'read' : 'app',
      run: () => {
        // The page can prevent the call of a tool, which the user has allowed.
        const call = { uri, ...(server && { server }), tool: params };
        if (method === 'tools/call' && !actions.act('ui-tool', message, block, call)) throw unsent('prevented');
        return send(request, { chat, id: message.id, signal });
      },
      refuse: ({ reason }) => {
        throw unsent(reason);
      },
    });
  };

interface Sending {
  readonly chat: AppChat;
  /** The message that shows the app. */
  readonly id: string;
  readonly signal: AbortSignal;
}

/** Resolves with the result of the app's server. A failure is reported to the page too. */
async function send(request: Request, sending: Sending): Promise<unknown> {
  const { chat, signal } = sending;
  // Also ends the request after the time limit, and the rest of a response whose result has arrived.
  const ended = new AbortController();
  try {
    signal.throwIfAborted();
    const exchanged = exchange(request, { ...sending, signal: AbortSignal.any([signal, ended.signal]) });
    return await withTimeout(exchanged, TIMEOUT_MS, 'no-answer');
  } catch (error) {
    if (!signal.aborted) chat.parts.hooks.error(detailOf(toChatError(error)));
    throw error;
  } finally {
    ended.abort();
  }
}

async function exchange(request: Request, { chat, id, signal }: Sending): Promise<unknown> {
  const { messages } = chat;
  const index = messages.findIndex((message) => message.id === id);
  const message = messages[index];
  if (!message) throw unsent('left');
  const recipient = chat.parts.turns.sideRequestContext((settings) => authorSettings(settings, message));
  const { settings, limits, threadId } = recipient;
  const author = { ...recipient, agentId: agentIdOf(recipient.agentId, settings) };
  const chosen = selectAgent(settings.agents, settings.agent, settings.endpoint);
  // The page has set another endpoint since, or its own code has shown the app.
  if (!isByRecipient(message, author) || (chosen && isPageAgent(chosen))) throw unsupported();
  const url = endpointAddress(settings);
  const adapter = await (await entryFor(recipient, url))?.load();
  const apps = await adapter?.loadAppRequests?.();
  if (!apps) throw unsupported();
  const sent = messagesFor(messages.slice(0, index + 1), author).map(createMessageRedactor(settings.redact));
  const turn = { text: '', messages: sent, threadId, answers: [] };
  signal.throwIfAborted();
  const answered = await sendAdapterRequest(
    { settings, limits, turn, url, adapter, signal, isSideRequest: true },
    (options) => apps.request({ id: newId(), ...request }, turn, options),
  );
  if (!answered) throw unsupported();
  const frames = 'socket' in answered ? answered.socket : await readResponse(answered.response, { limits, signal });
  return apps.result(frames.batches);
}

const unsent = (reason: string): ChatError => new ChatError('protocol', `The request was not sent: ${reason}.`);

const unsupported = (): ChatError =>
  new ChatError('protocol', 'The agent of this MCP App passes no requests on. Set "mcp" for its tools and resources.');
