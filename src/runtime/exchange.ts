/** One request of an adapter's and its answer: the turn itself, what ends it on the server, what picks it up again. */
import { specOf } from '../agents/tools.ts';
import type { Adapter, RequestOptions, Turn, WireRequest } from '../protocols/adapter.ts';
import { askBeside } from './ask-beside.ts';
import type { Limits } from './limits.ts';
import { provide, sendRequest, type Answered, type SendOptions } from './send-request.ts';
import type { ChatSettings, RequestContext } from './settings.ts';
import type { Tracer } from './trace.ts';
import { within } from './within.ts';

export interface Exchange {
  readonly settings: ChatSettings;
  readonly limits: Limits;
  readonly turn: Turn;
  /** The endpoint. */
  readonly url: URL;
  /** Undefined while it is not known who answers. */
  readonly adapter: Adapter | undefined;
  readonly signal: AbortSignal;
  readonly trace?: Tracer | undefined;
  /** It goes out beside the turn, to which the page's `body` belongs: the adapter may read it, and it is not merged. */
  readonly beside?: boolean;
}

/** Sends what `make` makes of the settings. Undefined when that is nothing. */
export async function exchange(
  { settings, limits, turn, url, adapter, signal, trace, beside = false }: Exchange,
  make: (options: RequestOptions) => WireRequest | undefined | Promise<WireRequest | undefined>,
): Promise<Answered | undefined> {
  const context: RequestContext = {
    url: url.href,
    protocol: adapter?.id,
    conversation: turn.messages,
    threadId: turn.threadId,
  };
  const send: Omit<SendOptions, 'build'> = { settings, context, limits, signal, trace, beside };
  const answered = await within(
    sendRequest({
      ...send,
      build: async (headers, body) =>
        make({
          url: url.href,
          headers,
          model: settings.model,
          system: settings.system,
          context: await provide(settings.context, context),
          ...(body && { body }),
          tools: (settings.tools ?? []).map(specOf),
          ...(settings.show && { show: settings.show }),
          ask: (request) => askBeside(request, send),
        }),
    }),
    limits.firstByte,
    false,
  );
  const { trigger } = answered ?? {};
  if (trigger) {
    const started = await within(
      sendRequest({ ...send, build: () => Promise.resolve(trigger) }),
      limits.firstByte,
      false,
    );
    if (started && 'response' in started) await started.response.body?.cancel();
  }
  return answered;
}
